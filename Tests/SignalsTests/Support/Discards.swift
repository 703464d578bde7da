import Signals

/// The discarded payloads of one type, for as long as this object lives.
///
/// Each test uses its own type. The cases of one test run concurrently, and select their payloads with `isOwn`.
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
