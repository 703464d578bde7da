import Signals
import Testing

@testable import SignalsLaws
@testable import SignalsTesting

@Suite("The laws for several inputs catch breaches", .timeLimit(.minutes(5)))
struct FanInLawTests {
    typealias Make = @Sendable ([Source]) -> Source

    private static let broken: [(law: String, clause: String, make: Make)] = [
        ("fails fast", "S12", { inputs in .merge(inputs.map(BrokenOperators.deaf)) }),
        ("finishes with all", "S11", { inputs in .merge(inputs + [.never()]) }),
        ("cancels all", "S6", { inputs in .merge(inputs.map(BrokenOperators.deaf)) }),
        ("bound", "S19", { inputs in .merge(inputs.map { $0.buffer(size: 100, whenFull: .dropOldest) }) }),
        ("one terminal", "S10", { inputs in BrokenOperators.endingTwice(.merge(inputs)) }),
        ("threads", "S14", { inputs in BrokenOperators.doubling(.merge(inputs)) }),
        ("releases", "S34", { inputs in BrokenOperators.hoarding(.merge(inputs)) }),
    ]

    private func verify(_ make: @escaping Make) -> [Breach] { Laws.verifyFanIn(inputs: 3, bound: 16) { make($0) } }

    @Test func aLawfulOperatorPasses() {
        #expect(verify { .merge($0) } == [])
    }

    @Test("each law catches an operator that breaks it", arguments: broken.indices)
    func brokenOperator(_ index: Int) {
        let (law, clause, make) = Self.broken[index]
        expectBreach(of: clause, by: law) { verify(make) }
    }

    @Test func everyLawIsTested() {
        #expect(Set(FanInLaw<LawValue, LawFailure>.all.map(\.name)) == Set(Self.broken.map(\.law)))
    }

    /// Without a drain, each input delivers on its own thread.
    @Test("S7 inputs that deliver at the same time are caught") func overlap() {
        let make: Make = { inputs in
            Signal(trusted: { sink in
                sink.receive(upstream: Upstream(request: { _ in }, cancel: {}))
                for input in inputs {
                    input.attach(
                        Sink(
                            onUpstream: { $0.request(.unlimited) }, onValue: { sink.receive($0) },
                            onCompletion: { sink.receive(completion: $0) }))
                }
            })
        }
        let found = untilFound("threads", "S7") { verify(make) }
        #expect(found.contains { $0.clause == "S7" || $0.clause == "S14" })
    }

    @Test("S18 a handover that miscounts is caught") func handover() {
        #expect(Laws.verifyHandover(at: .failed) { first, second in first.catch { _ in second } } == [])
        let found = Laws.verifyHandover(at: .failed) { first, second in
            first.catch { _ in BrokenOperators.asking(second) }
        }
        #expect(found.contains { $0.clause == "S18" && $0.law == "handover" })
    }
}
