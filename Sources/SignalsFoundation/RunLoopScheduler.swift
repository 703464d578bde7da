public import Foundation
public import Signals

/// A scheduler that runs work on the thread of a run loop, in order, with one piece of work in each turn of the loop.
///
/// ```swift
/// import SignalsFoundation
///
/// let scheduler = RunLoopScheduler(.main)
/// let token = Signal.just(1)
///     .receive(on: scheduler)
///     .sink { print($0, Thread.isMainThread) }  // 1 true
/// ```
///
/// The run loop must run in the scheduler's mode, and something else must keep it running, because a run loop without a
/// timer or a source returns at once. For the main run loop, use `DispatchQueue.main`, which needs no timers to wake
/// the loop. Work scheduled on a run loop whose thread has ended never runs.
public final class RunLoopScheduler: SignalScheduler, @unchecked Sendable {
    // Safe because the mode never changes, a lock guards the work, and other threads call only `add(_:forMode:)` of the
    // loop. Core Foundation's run loops protect that call with their own lock.

    /// The run loop on which the work runs.
    public let loop: RunLoop
    private let mode: RunLoop.Mode
    private let waiting = Lock(RingBuffer<@Sendable () -> Void>())

    /// Creates a scheduler that runs work on a run loop in a mode, by default in all common modes.
    public init(_ loop: RunLoop = .current, mode: RunLoop.Mode = .common) {
        self.loop = loop
        self.mode = mode
    }

    /// The monotonic time since the machine started.
    public var now: Duration { DispatchQueue.main.now }

    /// Runs work in a turn of the loop, after all work that was scheduled before it.
    public func schedule(_ work: @escaping @Sendable () -> Void) {
        let isFirst = waiting.withLock { waiting in
            defer { waiting.append(work) }
            return waiting.isEmpty
        }
        if isFirst { wake() }
    }

    /// Runs work in a turn of the loop once a time has passed, unless the token is cancelled or released before then.
    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> SignalToken {
        DelayedWork.schedule(after: delay, work) { self.schedule($0) }
    }

    /// Wakes the loop with a timer, since `perform(_:)` does not wake a sleeping loop on Linux.
    private func wake() {
        loop.add(Timer(fire: Date(), interval: 0, repeats: false) { _ in self.runNext() }, forMode: mode)
    }

    /// Runs the next piece of work.
    ///
    /// If more work is waiting, the function first schedules another turn, since this piece may itself run the loop.
    private func runNext() {
        let (work, isLast) = waiting.withLock { waiting in (waiting.popFirst(), waiting.isEmpty) }
        if !isLast { wake() }
        work?()
    }
}
