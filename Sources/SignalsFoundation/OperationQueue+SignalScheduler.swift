public import Foundation
public import Signals

extension OperationQueue: SignalScheduler {
    /// The monotonic time since the machine started.
    public var now: Duration { DispatchQueue.main.now }

    /// Runs work as an operation of the queue.
    public func schedule(_ work: @escaping @Sendable () -> Void) { addOperation(work) }

    /// Runs work as an operation of the queue once a time has passed, unless the token is cancelled or released before
    /// then.
    ///
    /// The queue receives the operation only after the delay, so a delay does not block a queue that runs few
    /// operations at once.
    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> SignalToken {
        DelayedWork.schedule(after: delay, work) { self.addOperation($0) }
    }
}
