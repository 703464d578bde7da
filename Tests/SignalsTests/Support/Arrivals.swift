import Dispatch
import SignalsTesting

/// Counts what arrives, for a thread that waits for it.
final class Arrivals: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func note() { semaphore.signal() }

    /// Waits for this many more; false when they have not come in time.
    func wait(for count: Int) -> Bool {
        (0..<count).allSatisfy { _ in semaphore.wait(timeout: .now() + .seconds(Patience.seconds)) == .success }
    }
}
