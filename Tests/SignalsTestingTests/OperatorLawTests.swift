import Signals
import Testing

@testable import SignalsLaws
@testable import SignalsTesting

@Suite("The laws for operators catch breaches", .timeLimit(.minutes(5)))
struct OperatorLawTests {
    private func verify(
        seeds: ClosedRange<UInt64> = 1...20, _ make: @escaping @Sendable (Source) -> Source
    ) -> [Breach] {
        Laws.verifyOperator(expecting: { $0.values }, seeds: seeds) { upstream, _ in make(upstream) }
    }

    @Test func aLawfulOperatorPasses() {
        #expect(verify { $0 } == [])
        #expect(verify { $0.filter { _ in true } } == [])
    }

    @Test("each law catches an operator that breaks it", arguments: BrokenOperators.all.indices)
    func brokenOperator(_ index: Int) {
        let (law, clause, make) = BrokenOperators.all[index]
        expectBreach(of: clause, by: law) { verify { make($0) } }
    }

    @Test func everyLawIsTested() {
        let laws = OperatorLaw<LawValue, LawFailure>.all.map(\.name) + ["random", "threads"]
        #expect(Set(laws) == Set(BrokenOperators.all.map(\.law)))
    }

    @Test("S31 a completion that is delivered at a cancel is caught, even after the end") func finishingAtCancel() {
        let found = verify { BrokenOperators.finishingAtCancel($0) }
        #expect(found.contains { $0.clause == "S31" && $0.law == "one teardown" })
    }

    /// Found only with a source whose upstream references its sink, as most do.
    @Test func aKeptUpstreamIsALeak() {
        #expect(verify { BrokenOperators.keepingItsUpstream($0) }.allSatisfy { $0.clause == "S34" })
        #expect(!verify { BrokenOperators.keepingItsUpstream($0) }.isEmpty)
    }

    @Test func aSeedMakesTheSameBreachAgain() throws {
        let found = verify { BrokenOperators.ignoringAnswers($0) }
        let breach = try #require(found.first { $0.law == "random" })
        let seed = try #require(breach.seed)
        let again = verify(seeds: seed...seed) { BrokenOperators.ignoringAnswers($0) }
        #expect(again.contains(breach))
        #expect(breach.description.contains("seed \(seed)"))
    }

    @Test func traitsAreNotGivenForFree() {
        func breaches(_ traits: Laws.Traits) -> [Breach] {
            Laws.verifyOperator(expecting: { $0.values }, traits: traits, seeds: 1...5) { upstream, _ in
                upstream.buffer(size: 2, whenFull: .dropOldest)
            }
        }
        #expect(breaches([]).contains { $0.clause == "S17" })
        #expect(breaches(.changesDemand).contains { $0.clause == "S12" || $0.clause == "S14" })
        #expect(breaches([.changesDemand, .dropsValues]) == [])
    }
}
