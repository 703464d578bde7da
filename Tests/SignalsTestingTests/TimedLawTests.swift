import Signals
import Testing

@testable import SignalsTesting

@Suite("The laws for time bite", .timeLimit(.minutes(5)))
struct TimedLawTests {
    private typealias Make = @Sendable (Source, VirtualScheduler) -> Source

    /// Passes everything on, and sets a timer at the upstream that it stops when `stops` says so.
    @Sendable private static func ticking(
        _ upstream: Source, _ scheduler: VirtualScheduler, stopsAtEnd: Bool = true, stopsAtCancel: Bool = true
    ) -> Source {
        Source.deferred {
            let timer = scheduler.schedule(after: .seconds(1)) {}
            timer.detach()
            return upstream.handleEvents(
                onCompletion: { _ in if stopsAtEnd { timer.cancel() } },
                onCancel: { if stopsAtCancel { timer.cancel() } })
        }
    }

    private static let broken: [(law: String, clause: String, make: Make)] = [
        ("finish", "S37", { upstream, _ in upstream.filter { $0 != 3 } }),
        ("failure", "S37", { upstream, scheduler in ticking(upstream, scheduler, stopsAtEnd: false) }),
        ("cancel", "S37", { upstream, scheduler in ticking(upstream, scheduler, stopsAtCancel: false) }),
        (
            "same again", "S36",
            { upstream, _ in
                let isFirst = Lock(true)
                return upstream.filter { _ in
                    isFirst.withLock { isFirst in
                        defer { isFirst = true }
                        return isFirst && Runs.isSecond
                    }
                }
            }
        ),
        ("cancel races the clock", "S10", { upstream, _ in BrokenOperators.endingTwice(upstream) }),
    ]

    private enum Runs {
        private static let count = Lock(0)
        /// Says now yes, now no.
        static var isSecond: Bool {
            count.withLock { count in
                count += 1
                return count.isMultiple(of: 3)
            }
        }
    }

    private func verify(_ make: @escaping Make) -> [Breach] {
        Laws.verifyTimed(delivering: { $0 }) { make($0, $1) }
    }

    @Test func lawfulOperatorsPass() {
        #expect(verify { upstream, _ in upstream } == [])
        #expect(verify { Self.ticking($0, $1) } == [])
    }

    @Test("each law catches an operator that breaks it", arguments: broken.indices)
    func brokenOperator(_ index: Int) {
        let (law, clause, make) = Self.broken[index]
        expectBreach(of: clause, by: law, tries: 1) { verify(make) }
    }

    @Test func everyLawIsTested() {
        #expect(Set(TimedLaw<LawValue>.all.map(\.name)) == Set(Self.broken.map(\.law)))
    }
}
