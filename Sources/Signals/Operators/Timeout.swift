extension Signal {
    /// Returns the same signal, which fails when the next value is too long in coming.
    ///
    /// ```swift
    /// struct TooSlow: Error {}
    /// let impatient = Signal<Int, TooSlow>.never()
    ///     .timeout(after: .seconds(5), on: DispatchQueue.main, failure: { TooSlow() })
    /// ```
    ///
    /// - Delivery: as the upstream. When `time` has passed since it was attached, or since the last value, it ends on
    ///   the scheduler: with a failure, or finished when no failure is given. The upstream is then cancelled.
    /// - Failure: the upstream's, or the given one.
    public func timeout(
        after time: Duration, on scheduler: some SignalScheduler,
        failure: (@Sendable () -> Failure)? = nil
    ) -> Signal {
        timed(
            (), on: scheduler,
            .init(
                demand: nil,
                onStart: { $0.setTimer(after: time) },
                onValue: { run, value in
                    run.setTimer(after: time)
                    run.emit(value)
                },
                onTimer: { run in
                    run.end(failure.map { .failure($0()) } ?? .finished, cancelling: true)
                }))
    }
}
