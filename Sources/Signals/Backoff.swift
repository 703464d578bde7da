/// The waiting times before the retries of a failed signal.
///
/// This is exponential backoff with jitter. Each wait is `factor` times the previous one, from `first` up to `longest`.
/// The share `jitter` of each wait is random, so that clients that failed at the same time do not retry at the same
/// time.
public struct Backoff: Sendable {
    /// The number of attempts after the first.
    public var attempts: Int
    /// The wait before the second attempt.
    public var first: Duration
    /// The factor by which each wait is multiplied to give the next wait.
    public var factor: Double
    /// The longest wait.
    public var longest: Duration
    /// The random share of each wait, from 0 (none) to 1 (all of it).
    public var jitter: Double

    /// Creates a backoff.
    public init(
        attempts: Int, first: Duration = .milliseconds(100), factor: Double = 2,
        longest: Duration = .seconds(30), jitter: Double = 0.5
    ) {
        precondition(
            attempts >= 0 && factor >= 1 && (0...1).contains(jitter),
            "A backoff needs attempts >= 0, factor >= 1 and a jitter from 0 to 1.")
        self.attempts = attempts
        self.first = first
        self.factor = factor
        self.longest = longest
        self.jitter = jitter
    }

    /// Returns the wait before retry number `attempt` (1 for the first retry), given a random number in 0..<1.
    public func wait(before attempt: Int, random: Double) -> Duration {
        var wait = first
        var left = attempt - 1
        while left > 0 && wait < longest {
            // Compares before it multiplies, because the product could overflow `Duration`.
            guard wait > .zero, factor > 1, wait < longest / factor else { break }
            (wait, left) = (wait * factor, left - 1)
        }
        if left > 0 && wait > .zero && factor > 1 { wait = longest }
        wait = Swift.min(wait, longest)
        let share = Swift.min(Swift.max(0, jitter * random), 1)
        // Rounding the product must not make the wait longer.
        return Swift.min(wait, wait * (1 - share))
    }
}
