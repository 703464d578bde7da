public import Foundation
public import Signals

/// A scheduler that runs work on a run loop: on its thread, one piece in each turn, in order.
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
/// The run loop must run in the scheduler's mode, and something else must keep it running: a run loop without a timer
/// or a source returns at once. The main run loop also runs the main queue, so an app should use `DispatchQueue.main`,
/// which takes one step less. Work scheduled on a run loop whose thread has ended never runs.
public final class RunLoopScheduler: SignalScheduler, @unchecked Sendable {
    // Safe because the mode never changes, the work is behind a lock, and other threads call only `add(_:forMode:)` of
    // the loop, for which Core Foundation's run loops lock themselves.

    /// Where the work runs.
    public let loop: RunLoop
    private let mode: RunLoop.Mode
    private let waiting = Lock(RingBuffer<@Sendable () -> Void>())

    /// Creates a scheduler for a run loop, in the common modes or in one of them.
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

    /// Runs work in a turn of the loop once a time has passed, unless the token is cancelled or released before.
    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> SignalToken {
        DelayedWork.schedule(after: delay, work) { self.schedule($0) }
    }

    /// Uses a timer, since `perform(_:)` does not wake a sleeping loop on Linux.
    private func wake() {
        loop.add(Timer(fire: Date(), interval: 0, repeats: false) { _ in self.runNext() }, forMode: mode)
    }

    /// Schedules the next turn before the work runs, since the work may run the loop itself.
    private func runNext() {
        let (work, isLast) = waiting.withLock { waiting in (waiting.popFirst(), waiting.isEmpty) }
        if !isLast { wake() }
        work?()
    }
}
