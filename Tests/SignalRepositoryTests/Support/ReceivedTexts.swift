import Signals

/// Collects texts from any thread.
final class ReceivedTexts: Sendable {
    private let state = Lock<[String]>([])

    var all: [String] { state.withLock { $0 } }

    func append(_ text: String) {
        state.withLock { $0.append(text) }
    }
}
