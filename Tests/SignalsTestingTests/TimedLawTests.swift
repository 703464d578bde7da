import Dispatch
import Signals
import Testing

@testable import SignalsLaws
@testable import SignalsTesting

@Suite("The laws for time catch breaches", .timeLimit(.minutes(5)))
struct TimedLawTests {
    private typealias Make = @Sendable (Source, any SignalScheduler) -> Source

    /// Passes everything on, and sets a timer as it attaches, which it stops at the end and at a cancel if told to.
    @Sendable private static func ticking(
        _ upstream: Source, _ scheduler: any SignalScheduler, stopsAtEnd: Bool = true, stopsAtCancel: Bool = true
    ) -> Source {
        Source.deferred {
            let timer = scheduler.schedule(after: .seconds(1)) {}
            timer.detach()
            return upstream.handleEvents(
                onCompletion: { _ in if stopsAtEnd { timer.cancel() } },
                onCancel: { if stopsAtCancel { timer.cancel() } }
            ).receive(on: scheduler)
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
        ("on its scheduler", "S37", { upstream, _ in upstream }),
        ("senders race the clock", "S37", { upstream, scheduler in meeting(upstream, scheduler) }),
        ("time does not move", "S45", { upstream, scheduler in endingLater(upstream, scheduler) }),
    ]

    /// Delivers on its scheduler, except that a sender at work at the same time delivers instead.
    private static func meeting(_ upstream: Source, _ scheduler: any SignalScheduler) -> Source {
        Source.deferred {
            let senders = Broadcast<LawValue, LawFailure>()
            let met = DispatchSemaphore(value: 0)
            let timed = upstream.handleEvents(onValue: { _ in senders.send(0) }).receive(on: scheduler)
                .lift { next in
                    Sink(
                        passingTo: next,
                        onValue: { value in
                            defer { met.signal() }
                            return next.receive(value)
                        })
                }
            return timed.merge(with: senders.signal).filter { value in
                // The sender waits a moment, so that both are at work at the same time.
                if value.number == 0 { _ = met.wait(timeout: .now() + .milliseconds(5)) }
                return value.number > 0
            }
        }
    }

    /// Ends once the clock has advanced by a second, which never happens where time stands still.
    private static func endingLater(_ upstream: Source, _ scheduler: any SignalScheduler) -> Source {
        upstream.lift { next in
            Sink(
                passingTo: next, onValue: { next.receive($0) },
                onCompletion: { completion in
                    let due = scheduler.now + .seconds(1)
                    scheduler.schedule(after: .seconds(1)) {
                        if scheduler.now >= due { next.receive(completion: completion) }
                    }.detach()
                })
        }
    }

    private enum Runs {
        private static let count = Lock(0)
        /// Whether the count of reads is a multiple of three, so that two runs differ.
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
        #expect(verify { $0.receive(on: $1) } == [])
        #expect(verify { Self.ticking($0, $1) } == [])
    }

    @Test("each law catches an operator that breaks it", arguments: broken.indices)
    func brokenOperator(_ index: Int) {
        let (law, clause, make) = Self.broken[index]
        expectBreach(of: clause, by: law, tries: 5) { verify(make) }
    }

    @Test func everyLawIsTested() {
        #expect(Set(TimedLaw<LawValue>.all.map(\.name)) == Set(Self.broken.map(\.law)))
    }
}
