/// How long to wait before each further attempt of a signal that failed.
///
/// The wait doubles (by default) from `first` up to `longest`, and a share of it, `jitter`, is random, so that many
/// who failed together do not come back together. Source: exponential backoff with jitter.
public struct Backoff: Sendable {
    /// How many attempts there are after the first.
    public var attempts: Int
    /// The wait before the second attempt.
    public var first: Duration
    /// What each wait is multiplied with to give the next.
    public var factor: Double
    /// The longest wait.
    public var longest: Duration
    /// Which share of a wait is random: 0 none, 1 all of it.
    public var jitter: Double

    /// Makes a backoff.
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
        for _ in 1..<Swift.max(1, attempt) where wait < longest { wait = wait * factor }
        wait = Swift.min(wait, longest)
        return wait * (1 - jitter * random)
    }
}

extension Signal {
    /// Returns a signal that attaches its upstream again, after a wait, when it fails with an error worth another try.
    ///
    /// ```swift
    /// struct Busy: Error {}
    /// let patient = Signal<Int, Busy>.fail(Busy())
    ///     .retry(Backoff(attempts: 3), on: DispatchQueue.global(), if: { _ in true })
    /// ```
    ///
    /// - Delivery: the values of every attempt; attempts after the first are attached on the scheduler and asked for
    ///   what is still outstanding. A value starts the count of attempts anew when `resetsOnValue` is true.
    /// - Failure: that of the last attempt, or the first that `isWorthwhile` refuses.
    public func retry(
        _ backoff: Backoff, on scheduler: some SignalScheduler, resetsOnValue: Bool = true,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        if isWorthwhile: @escaping @Sendable (Failure) -> Bool = { _ in true }
    ) -> Signal {
        Signal(trusted: { next in
            let arbiter = Arbiter()
            let made = Serial(0)
            let pause = Pause()
            next.receive(
                upstream: Upstream(
                    request: { arbiter.request($0) },
                    cancel: {
                        arbiter.cancel()
                        pause.cancel()
                    }))
            let onValue: @Sendable (Value) -> Demand = {
                if resetsOnValue { made.state = 0 }
                return next.receive($0)
            }
            @Sendable func attempt() {
                arbiter.follow(self, onValue: onValue) { completion in
                    guard case .failure(let failure) = completion, made.state < backoff.attempts, isWorthwhile(failure)
                    else { return next.receive(completion: completion) }
                    made.state += 1
                    let wait = backoff.wait(before: made.state, random: random())
                    pause.begin { scheduler.schedule(after: wait) { attempt() } }
                }
            }
            attempt()
        })
    }
}

/// The wait between two attempts, which can be cancelled before it has begun.
private final class Pause: Sendable {
    private let state = Lock<(token: SignalToken?, isCancelled: Bool)>((nil, false))

    func begin(_ schedule: () -> SignalToken) {
        let token = schedule()
        let (isCancelled, old) = state.withLock { state in
            defer { if !state.isCancelled { state.token = token } }
            return (state.isCancelled, state.token.take())
        }
        // The wait that is over now is running this very attempt: it must not be cancelled by its release.
        old?.detach()
        if isCancelled { token.cancel() }
    }

    func cancel() {
        let token = state.withLock { state in
            state.isCancelled = true
            return state.token.take()
        }
        token?.cancel()
    }
}
