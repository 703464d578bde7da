public import Signals

/// A scheduler whose time advances only when a test advances it.
///
/// Work that is due runs in order of time, and at the same instant in the order it was scheduled, on the thread that
/// advances the time. The same schedule always runs the same way.
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

    /// How many pieces of work are pending.
    public var pendingCount: Int { state.withLock { $0.work.count } }

    /// Schedules work for this instant; it runs when the time is next advanced, even by zero.
    public func schedule(_ work: @escaping @Sendable () -> Void) { _ = enter(.zero, work) }

    /// Schedules work for a later instant, unless the token is cancelled or released before.
    ///
    /// - Complexity: O(log n) in the number of pending pieces.
    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> SignalToken {
        let sequence = enter(delay, work)
        return SignalToken(onCancel: { [weak self] in self?.remove(sequence) })
    }

    /// Advances the time, and runs what is due until then, including what that work schedules.
    ///
    /// Called from inside work, or while another thread advances the time, it moves the target, and returns at once.
    public func advance(by duration: Duration) {
        precondition(duration >= .zero, "advance(by:) needs a duration of zero or more.")
        move { $0.horizon = max($0.horizon, $0.now + duration) }
    }

    /// Advances the time to the last pending work, and runs all of it; work that keeps rescheduling itself never ends.
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
        // The work is released outside the lock: releasing it may run foreign code.
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

    /// Takes the next piece of work up to the horizon; when none is left, the move is over.
    private func nextDue() -> (@Sendable () -> Void)? {
        state.withLock { state in
            while let entry = state.agenda.first, entry.time <= state.horizon {
                state.agenda.removeFirst()
                guard let due = state.work.removeValue(forKey: entry.sequence) else { continue }
                state.now = max(state.now, entry.time)
                return due
            }
            state.isMoving = false
            // Running to the end stops at the last piece of work rather than at the end of time.
            if state.horizon < .nanoseconds(Int64.max) { state.now = max(state.now, state.horizon) }
            state.horizon = state.now
            return nil
        }
    }
}
