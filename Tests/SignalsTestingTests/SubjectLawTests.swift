import Signals
import Testing

@testable import SignalsLaws
@testable import SignalsTesting

@Suite("The laws for hot sources catch breaches", .timeLimit(.minutes(5)))
struct SubjectLawTests {
    private static func subject(
        _ signal: (Source) -> Source = { $0 },
        send: @escaping @Sendable (Broadcast<LawValue, LawFailure>, LawValue) -> Void = { $0.send($1) },
        end: @escaping @Sendable (Broadcast<LawValue, LawFailure>, Completion<LawFailure>) -> Void = {
            $0.send(completion: $1)
        }
    ) -> LawSubject {
        let broadcast = Broadcast<LawValue, LawFailure>()
        return LawSubject(
            signal: signal(broadcast.signal), send: { send(broadcast, $0) }, end: { end(broadcast, $0) })
    }

    /// Serves its sinks from an array, without a drain, in the order that `arrange` returns.
    private final class Bare: Sendable {
        private let sinks = Lock<[(id: Int, sink: End)]>([])
        private let arrange: @Sendable ([(id: Int, sink: End)]) -> [(id: Int, sink: End)]

        init(_ arrange: @escaping @Sendable ([(id: Int, sink: End)]) -> [(id: Int, sink: End)] = { $0 }) {
            self.arrange = arrange
        }

        var subject: LawSubject {
            LawSubject(
                signal: Signal(trusted: { sink in
                    let id = self.sinks.withLock { all in
                        all.append((id: all.count, sink: sink))
                        return all.count - 1
                    }
                    sink.receive(
                        upstream: Upstream(
                            request: { _ in },
                            cancel: { self.sinks.withLock { all in all.removeAll { $0.id == id } } }))
                }),
                send: { value in for (_, sink) in self.arrange(self.sinks.withLock { $0 }) { _ = sink.receive(value) }
                },
                end: { completion in
                    for (_, sink) in self.sinks.withLock({ $0 }) { sink.receive(completion: completion) }
                })
        }
    }

    private static let broken: [(law: String, clause: String, make: @Sendable () -> LawSubject)] = [
        ("every value to every sink", "S8", { subject(BrokenOperators.skipping) }),
        ("attach order", "S40", { Bare { $0.reversed() }.subject }),
        ("send inside", "S26", { Bare().subject }),
        ("attach and cancel inside", "S30", { Bare().subject }),
        (
            "late sink", "S39",
            {
                let current = CurrentValue<LawValue, LawFailure>(0)
                return LawSubject(
                    signal: current.signal, send: { current.send($0) }, end: { current.send(completion: $0) })
            }
        ),
        ("demand", "S14", { Bare().subject }),
        ("nothing after the end", "S10", { subject(BrokenOperators.endingTwice) }),
        (
            "threads", "S7",
            {
                let count = Lock(0)
                return subject(send: { broadcast, value in
                    let number = count.withLock { count in
                        count += 1
                        return count
                    }
                    if number != 400 { broadcast.send(value) }
                })
            }
        ),
        ("replay and live", "S39", { subject { $0.filter { $0.number % 7 != 0 } } }),
        ("cancel while sending", "S10", { subject(BrokenOperators.endingTwice) }),
        ("releases", "S34", { subject(BrokenOperators.hoarding) }),
        ("one of six leaves", "S34", { subject(BrokenHotSources.keepingItsSinks) }),
        ("no lock", "S28", { subject(BrokenHotSources.locking) }),
        (
            "beside a flood", "S46",
            {
                let eager = BrokenHotSources.Eager()
                return LawSubject(signal: eager.signal, send: { eager.send($0) }, end: { _ in })
            }
        ),
    ]

    private func verify(_ make: @escaping @Sendable () -> LawSubject) -> [Breach] {
        Laws.verifySubject(replays: 0, make)
    }

    @Test func aLawfulSubjectPasses() {
        #expect(verify { Self.subject() } == [])
    }

    @Test("each law catches a hot source that breaks it", arguments: broken.indices)
    func brokenSubject(_ index: Int) {
        let (law, clause, make) = Self.broken[index]
        expectBreach(of: clause, by: law) { verify(make) }
    }

    @Test func everyLawIsTested() {
        #expect(Set(SubjectLaw.all.map(\.name)) == Set(Self.broken.map(\.law)))
    }
}
