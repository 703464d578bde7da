extension Signal {
    /// Returns a copy of the signal that ends if the next value takes longer than `time`.
    ///
    /// ```swift
    /// struct TooSlow: Error {}
    /// let impatient = Signal<Int, TooSlow>.never()
    ///     .timeout(after: .seconds(5), on: DispatchQueue.main, failure: { TooSlow() })
    /// ```
    ///
    /// To choose at run time between a failure and nil, mark the closure `@Sendable`. Without this attribute,
    /// compilation fails, and the compiler does not say why:
    ///
    /// ```swift
    /// struct Late: Error {}
    /// func limited(_ signal: Signal<Int, Late>, fails: Bool) -> Signal<Int, Late> {
    ///     signal.timeout(
    ///         after: .seconds(5), on: DispatchQueue.main, failure: fails ? { @Sendable in Late() } : nil)
    /// }
    /// ```
    ///
    /// - Delivery: the upstream's values, on the scheduler. When `time` has passed since the attach or the last value,
    ///   the operator cancels the upstream. The signal then fails, or finishes if `failure` is nil. No more values wait
    ///   for the scheduler than the sink has requested.
    /// - Failure: the upstream's, or the result of `failure`, in either case after all earlier values.
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
