/// How long to wait before each further attempt of a signal that failed.
///
/// The wait doubles (by default) from `first` up to `longest`, and a share of it, `jitter`, is random, so that many
/// clients that failed together do not retry together. Source: exponential backoff with jitter.
public struct Backoff: Sendable {
    /// How many attempts there are after the first.
    public var attempts: Int
    /// The wait before the second attempt.
    public var first: Duration
    /// The factor by which each wait is multiplied to give the next.
    public var factor: Double
    /// The longest wait.
    public var longest: Duration
    /// The share of a wait that is random: 0 none, 1 all of it.
    public var jitter: Double

    /// Creates a backoff.
    public init(
        attempts: Int, first: Duration = .milliseconds(100), factor: Double = 2,
        longest: Duration = .seconds(30), jitter: Double = 0.5
    ) {
        precondition(
            attempts >= 0 && factor >= 1 && (0...1).contains(jitter), "A backoff grows, and its jitter is 0 to 1.")
        self.attempts = attempts
        self.first = first
        self.factor = factor
        self.longest = longest
        self.jitter = jitter
    }

    /// Returns the wait before the attempt with this number (1 for the second), given a random number in 0..<1.
    public func wait(before attempt: Int, random: Double) -> Duration {
        var wait = first
        var left = attempt - 1
        while left > 0 && wait < longest {
            // Compared before it is multiplied: the product may be more than a duration can hold.
            guard wait > .zero, factor > 1, wait < longest / factor else { break }
            (wait, left) = (wait * factor, left - 1)
        }
        if left > 0 && wait > .zero && factor > 1 { wait = longest }
        wait = Swift.min(wait, longest)
        let share = Swift.min(Swift.max(0, jitter * random), 1)
        // A product is rounded, and must not be longer for it.
        return Swift.min(wait, wait * (1 - share))
    }
}
