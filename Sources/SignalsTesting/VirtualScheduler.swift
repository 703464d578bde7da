public import Signals

/// A scheduler whose time advances only when a test advances it.
///
/// Work runs in order of due time, on the thread that advances the time. Work that is due at the same instant runs in
/// the order in which it was scheduled. The same schedule always runs the same way.
///
/// ```swift
/// let scheduler = VirtualScheduler()
/// scheduler.schedule { print("soon") }
/// let token = scheduler.schedule(after: .seconds(5)) { print("later") }
/// scheduler.advance(by: .seconds(4))  // soon
/// print(scheduler.now, scheduler.pendingCount)  // 4.0 seconds 1
/// scheduler.run()  // later
/// ```
public final class VirtualScheduler: SignalScheduler {
    private struct State {
        var now: Duration
        var horizon: Duration
        var isMoving = false
        var lastSequence = 0
        var agenda = Agenda()
        var work: [Int: @Sendable () -> Void] = [:]
    }

    private let state: Lock<State>

    /// Creates a scheduler whose time begins at `start`.
    public init(start: Duration = .zero) { state = Lock(State(now: start, horizon: start)) }

    /// The virtual time; it never goes back.
    public var now: Duration { state.withLock { $0.now } }

    /// The number of pieces of work that are pending.
    public var pendingCount: Int { state.withLock { $0.work.count } }

    /// Schedules work for the current instant; the work runs when the time is next advanced, even by zero.
    public func schedule(_ work: @escaping @Sendable () -> Void) { _ = enter(.zero, work) }

    /// Schedules work for a later instant; cancelling or releasing the token before then removes the work.
    ///
    /// - Complexity: O(log n) in the number of pending pieces of work.
    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> SignalToken {
        let sequence = enter(delay, work)
        return SignalToken(onCancel: { [weak self] in self?.remove(sequence) })
    }

    /// Advances the time and runs all work that is due by then, including work that is scheduled during the call.
    ///
    /// A call inside scheduled work, or while another thread advances the time, only extends the advance in progress
    /// and returns at once.
    public func advance(by duration: Duration) {
        precondition(duration >= .zero, "advance(by:) needs a duration of zero or more.")
        move { $0.horizon = max($0.horizon, $0.now + duration) }
    }

    /// Advances the time until all work, including newly scheduled work, has run; never returns if work keeps
    /// rescheduling itself.
    public func run() { move { $0.horizon = .nanoseconds(Int64.max) } }

    private func enter(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.lastSequence += 1
            state.work[state.lastSequence] = work
            state.agenda.insert(Agenda.Entry(time: state.now + max(.zero, delay), sequence: state.lastSequence))
            return state.lastSequence
        }
    }

    private func remove(_ sequence: Int) {
        // The work is released outside the lock, because releasing it may run foreign code.
        _ = state.withLock { $0.work.removeValue(forKey: sequence) }
    }

    private func move(_ goal: (inout State) -> Void) {
        let isMover = state.withLock { state in
            goal(&state)
            defer { state.isMoving = true }
            return !state.isMoving
        }
        guard isMover else { return }
        while let due = nextDue() { due() }
    }

    /// Takes the next piece of work that is due by the horizon; if none is left, ends the advance.
    private func nextDue() -> (@Sendable () -> Void)? {
        state.withLock { state in
            while let entry = state.agenda.first, entry.time <= state.horizon {
                state.agenda.removeFirst()
                guard let due = state.work.removeValue(forKey: entry.sequence) else { continue }
                state.now = max(state.now, entry.time)
                return due
            }
            state.isMoving = false
            // After `run()`, the time stays at the due time of the last piece of work.
            if state.horizon < .nanoseconds(Int64.max) { state.now = max(state.now, state.horizon) }
            state.horizon = state.now
            return nil
        }
    }
}
