import Foundation
import Signals

/// Work that waits for a time, then for its turn, and can be cancelled during both.
enum DelayedWork {
    /// One queue for all waits, so that waits that end at the same instant end in order.
    private static let clock = DispatchQueue(label: "SignalsFoundation.DelayedWork")

    /// Waits, and then passes the work to `enqueue`.
    static func schedule(
        after delay: Duration, _ work: @escaping @Sendable () -> Void,
        _ enqueue: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) -> SignalToken {
        let waiting = Lock<(@Sendable () -> Void)?>(work)
        // The work is run or released outside the lock.
        @Sendable func take() -> (@Sendable () -> Void)? { waiting.withLock { $0.take() } }
        let timer = clock.schedule(after: delay) { enqueue { take()?() } }
        return SignalToken(onCancel: {
            timer.cancel()
            _ = take()
        })
    }
}
