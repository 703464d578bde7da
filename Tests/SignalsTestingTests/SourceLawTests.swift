import Signals
import Testing

@testable import SignalsLaws
@testable import SignalsTesting

@Suite("The laws for sources catch breaches", .timeLimit(.minutes(5)))
struct SourceLawTests {
    @Test func aLawfulSourcePasses() {
        #expect(Laws.verifySource(expecting: [1, 2, 3]) { _ in Signal<Int, Never>.sequence(1...3) } == [])
    }

    @Test("each law catches a source that breaks it", arguments: BrokenSources.all.indices)
    func brokenSource(_ index: Int) {
        let (law, clause, make) = BrokenSources.all[index]
        expectBreach(of: clause, by: law) { Laws.verifySource(expecting: [1, 2, 3], make) }
    }

    @Test func everyLawIsTested() {
        #expect(Set(SourceLaw<Int, Never>.all.map(\.name)) == Set(BrokenSources.all.map(\.law)))
    }

    @Test("S36 S37 the laws advance the time of a source with a clock") func settling() {
        let found = Laws.verifySource(expecting: [1], settling: .seconds(1)) { scheduler in
            Signal<Int, Never>.just(1).delay(for: .milliseconds(300), on: scheduler)
        }
        #expect(found == [])
    }
}
