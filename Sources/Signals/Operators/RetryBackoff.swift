extension Signal {
    /// Returns a signal that waits and attaches its upstream again after each failure that `isWorthwhile` accepts.
    ///
    /// ```swift
    /// struct Busy: Error {}
    /// let patient = Signal<Int, Busy>.fail(Busy())
    ///     .retry(Backoff(attempts: 3), on: DispatchQueue.global(), if: { _ in true })
    /// ```
    ///
    /// - Delivery: the values of every attempt. Each attempt after the first is attached on the scheduler and receives
    ///   the outstanding demand. If `resetsOnValue` is true, each value restarts the count of attempts.
    /// - Failure: the failure of the last attempt, or the first failure that `isWorthwhile` rejects.
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
