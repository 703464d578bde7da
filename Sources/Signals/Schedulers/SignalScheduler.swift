/// Where and when work runs: a queue, or a clock of a test's own.
///
/// A scheduler never runs work inline (but `.immediate`), keeps the order of work that is due at one instant, and
/// never runs work that was cancelled before it began. Time is counted from an arbitrary point of the scheduler's own.
public protocol SignalScheduler: Sendable {
    /// The time now, since a point of the scheduler's own; it never goes back.
    var now: Duration { get }

    /// Runs work as soon as possible, after what has been scheduled before it.
    func schedule(_ work: @escaping @Sendable () -> Void)

    /// Runs work once a time has passed, unless the token is cancelled or released before.
    func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> SignalToken
}
