import Signals
import Testing

@testable import SignalsLaws
@testable import SignalsTesting

@Suite("The laws for sharing catch breaches", .timeLimit(.minutes(5)))
struct MulticastLawTests {
    /// An operator that shares by counting its sinks, with flags that break it.
    private final class Counting: Sendable {
        private let state = Lock((sinks: 0, token: SignalToken?.none))
        private let broadcast = Broadcast<LawValue, LawFailure>()
        private let upstream: Source
        private let countsCancels: Bool
        private let disconnects: Bool

        init(_ upstream: Source, countsCancels: Bool = false, disconnects: Bool = true) {
            self.upstream = upstream
            self.countsCancels = countsCancels
            self.disconnects = disconnects
        }

        var signal: Source {
            Signal(trusted: { sink in
                let seat = Lock(true)
                self.broadcast.signal.attach(
                    Sink(
                        onUpstream: { source in
                            sink.receive(
                                upstream: Upstream(
                                    request: { source.request($0) },
                                    cancel: {
                                        source.cancel()
                                        let isFirst = seat.withLock { seat in
                                            defer { seat = false }
                                            return seat
                                        }
                                        if isFirst || self.countsCancels { self.leave() }
                                    }))
                        }, onValue: { sink.receive($0) }, onCompletion: { sink.receive(completion: $0) }))
                self.join()
            })
        }

        /// Checks first and connects later, so that two threads may both connect.
        private func join() {
            let isFirst = state.withLock { state in
                state.sinks += 1
                return state.token == nil
            }
            guard isFirst else { return }
            let token = upstream.sink(
                onValue: { self.broadcast.send($0) }, onCompletion: { self.broadcast.send(completion: $0) })
            state.withLock { $0.token = token }
        }

        private func leave() {
            let token = state.withLock { state in
                state.sinks -= 1
                return state.sinks <= 0 && disconnects ? state.token.take() : nil
            }
            token?.cancel()
        }
    }

    private static let broken: [(law: String, clause: String, make: @Sendable (Source) -> Source)] = [
        ("one upstream", "S38", { $0 }),
        ("disconnects once", "S38", { Counting($0, disconnects: false).signal }),
        ("begins again", "S38", { Counting($0).signal }),
        ("connects once", "S38", { $0 }),
        ("balance", "S38", { Counting($0, disconnects: false).signal }),
        ("late sink", "S39", { $0.share(replay: 3) }),
        ("reconnection", "S38", { Counting($0).signal }),
        ("one of six leaves", "S34", { BrokenHotSources.keepingItsSinks($0.share()) }),
        ("no lock", "S28", { BrokenHotSources.locking($0.share()) }),
        ("beside a flood", "S46", { BrokenHotSources.Eager($0).signal }),
    ]

    private func verify(_ make: @escaping @Sendable (Source) -> Source) -> [Breach] {
        Laws.verifyMulticast(replays: 0) { make($0) }
    }

    @Test func aLawfulOperatorPasses() {
        #expect(verify { $0.share() } == [])
    }

    @Test("each law catches an operator that breaks it", arguments: broken.indices)
    func brokenOperator(_ index: Int) {
        let (law, clause, make) = Self.broken[index]
        expectBreach(of: clause, by: law) { verify(make) }
    }

    @Test("S38 a count of sinks that every cancel lowers is caught") func cancelledTwice() {
        let found = verify { Counting($0, countsCancels: true).signal }
        #expect(found.contains { $0.law == "disconnects once" })
    }

    @Test func everyLawIsTested() {
        #expect(Set(MulticastLaw.all.map(\.name)) == Set(Self.broken.map(\.law)))
    }
}
