extension Signal {
    /// Returns the same signal, which fails when the next value takes too long.
    ///
    /// ```swift
    /// struct TooSlow: Error {}
    /// let impatient = Signal<Int, TooSlow>.never()
    ///     .timeout(after: .seconds(5), on: DispatchQueue.main, failure: { TooSlow() })
    /// ```
    ///
    /// To choose between a failure and none, mark the closure `@Sendable`; without it, the compiler fails and does not
    /// say why:
    ///
    /// ```swift
    /// struct Late: Error {}
    /// func limited(_ signal: Signal<Int, Late>, fails: Bool) -> Signal<Int, Late> {
    ///     signal.timeout(
    ///         after: .seconds(5), on: DispatchQueue.main, failure: fails ? { @Sendable in Late() } : nil)
    /// }
    /// ```
    ///
    /// - Delivery: as the upstream, on the scheduler. When `time` has passed since the attach, or since the last value
    ///   arrived, it fails, or finishes if no failure is given. The upstream is then cancelled. At most as many values
    ///   as were requested wait for the scheduler.
    /// - Failure: the upstream's, or the given one, after the values that came before it.
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
                })
        ).receive(on: scheduler)
    }
}
