import Foundation
import Signals

/// Work that waits for a delay and then for its turn in a queue, and can be cancelled during both waits.
enum DelayedWork {
    /// One queue for all delays, so that pieces of work that are due at the same instant keep their order.
    private static let clock = DispatchQueue(label: "SignalsFoundation.DelayedWork")

    /// Passes the work to `enqueue` after the delay; cancelling the token prevents work that has not begun.
    static func schedule(
        after delay: Duration, _ work: @escaping @Sendable () -> Void,
        _ enqueue: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) -> SignalToken {
        let waiting = Lock<(@Sendable () -> Void)?>(work)
        // `take()` only removes the work under the lock; its callers run or release the work outside the lock.
        @Sendable func take() -> (@Sendable () -> Void)? { waiting.withLock { $0.take() } }
        let timer = clock.schedule(after: delay) { enqueue { take()?() } }
        return SignalToken(onCancel: {
            timer.cancel()
            _ = take()
        })
    }
}
