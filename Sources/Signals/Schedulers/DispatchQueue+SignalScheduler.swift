public import Dispatch

extension DispatchQueue: SignalScheduler {
    /// The monotonic time since the machine started.
    public var now: Duration { .nanoseconds(Int64(clamping: DispatchTime.now().uptimeNanoseconds)) }

    /// Runs work asynchronously on the queue.
    public func schedule(_ work: @escaping @Sendable () -> Void) { async(execute: work) }

    /// Runs work on the queue once a time has passed, unless the token is cancelled or released before then.
    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> SignalToken {
        let timer = QueueTimer(on: self, after: delay, work)
        return SignalToken(onCancel: { timer.cancel() })
    }
}

extension DispatchQueue {
    /// Traps in debug builds if the caller is not on the queue.
    @inlinable @inline(__always)
    package func assertCurrent() {
        #if DEBUG
            dispatchPrecondition(condition: .onQueue(self))
        #endif
    }
}

/// A timer that runs its work once.
///
/// Cancelling releases the work at once, even if Dispatch keeps the timer for longer.
private final class QueueTimer: @unchecked Sendable {
    // Safe because Dispatch sources may be used from any thread, and a lock guards the work.
    private let source: any DispatchSourceTimer
    private let work: Lock<(@Sendable () -> Void)?>

    init(on queue: DispatchQueue, after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        self.work = Lock(work)
        source = DispatchSource.makeTimerSource(queue: queue)
        let (seconds, attoseconds) = delay.components
        let nanoseconds = (Double(seconds) * 1e9 + Double(attoseconds) / 1e9).rounded(.up)
        source.setEventHandler { self.take()?() }
        source.schedule(deadline: .now() + .nanoseconds(Int(min(max(0, nanoseconds), 9e18))))
        source.activate()
    }

    func cancel() { _ = take() }

    private func take() -> (@Sendable () -> Void)? {
        let taken = work.withLock { $0.take() }
        if taken != nil { source.cancel() }
        return taken
    }
}
