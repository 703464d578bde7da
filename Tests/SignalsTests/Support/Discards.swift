import Signals

/// Everything of one type that is reported as dropped, as long as this lives.
///
/// A test uses a type of its own; cases of one test, which run beside each other, tell their payloads apart.
final class Discards<Payload: Sendable>: Sendable {
    private let found = Lock<[(payload: Payload, reason: Discard.Reason, stage: String)]>([])
    private let token = Lock<SignalToken?>(nil)

    init(of type: Payload.Type, where isOwn: @escaping @Sendable (Payload) -> Bool = { _ in true }) {
        let token = DiscardHook.observe { [found] discard in
            guard let payload = discard.payload as? Payload, isOwn(payload) else { return }
            found.withLock { $0.append((payload, discard.reason, "\(discard.stage)")) }
        }
        self.token.withLock { $0 = token }
    }

    var payloads: [Payload] { found.withLock { $0.map(\.payload) } }
    var stages: [String] { found.withLock { $0.map(\.stage) } }
    var reasons: [Discard.Reason] { found.withLock { $0.map(\.reason) } }
}
