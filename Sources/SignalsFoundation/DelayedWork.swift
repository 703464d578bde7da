import Foundation
import Signals

/// Work that waits for a time, then for its turn, and can be cancelled during both.
struct DelayedWork: Sendable {
    /// One queue for all waits, so that those that end at the same instant end in order.
    private static let clock = DispatchQueue(label: "SignalsFoundation.DelayedWork")

    private let work: Lock<(@Sendable () -> Void)?>

    init(_ work: @escaping @Sendable () -> Void) { self.work = Lock(work) }

    /// Waits, and hands what is then to run to `enqueue`.
    func run(after delay: Duration, _ enqueue: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void)
        -> SignalToken
    {
        let timer = Self.clock.schedule(after: delay) { enqueue { self.take()?() } }
        return SignalToken(onCancel: {
            timer.cancel()
            _ = take()
        })
    }

    /// What is taken is run or released outside the lock.
    private func take() -> (@Sendable () -> Void)? { work.withLock { $0.take() } }
}
