/// A queue, or a test's own clock, that runs work as soon as possible or after a delay.
///
/// A scheduler never runs work inline (except `.immediate`), preserves the order of work due at the same instant, and
/// never runs work that was cancelled before it began. Time is counted from an arbitrary point that the scheduler
/// chooses.
public protocol SignalScheduler: Sendable {
    /// The current time, counted from a point that the scheduler chooses; it never goes back.
    var now: Duration { get }

    /// Runs work as soon as possible, after all work that was scheduled before it.
    func schedule(_ work: @escaping @Sendable () -> Void)

    /// Runs work once a time has passed, unless the token is cancelled or released before then.
    func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> SignalToken
}
