import Foundation
import SignalsTesting
import Testing

/// A gate at which a test's callback or body waits until the other one opens it.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() {
        semaphore.signal()
    }

    /// Waits for `open()`; for a test's own task.
    func opened() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                self.wait()
                continuation.resume()
            }
        }
    }

    /// Waits for `open()`; for code that runs on a queue, not for a test's own task.
    func wait() {
        if semaphore.wait(timeout: .now() + .seconds(Patience.seconds)) == .timedOut {
            Issue.record("The gate was never opened.")
        }
    }
}
