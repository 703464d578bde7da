extension Signal {
    /// Returns a signal of the latest value in each interval; the first interval begins with the attach.
    ///
    /// ```swift
    /// let position = CurrentValue<Int, Never>(0)
    /// let token = position.signal.sample(every: .seconds(1), on: DispatchQueue.main).sink { print($0) }
    /// ```
    ///
    /// By contrast, `throttle` delivers the first value at once, and begins an interval with that value.
    ///
    /// - Delivery: on the scheduler, the latest value at the end of each interval in which a value arrived. When the
    ///   upstream finishes, the operator delivers the pending value at once. It buffers the pending value and, for a
    ///   sink without demand, the latest sample. Demand on the upstream is unlimited.
    /// - Failure: the upstream's, on the scheduler, without waiting for the end of the interval. The operator drops the
    ///   pending value and reports it to `DiscardHook`.
    public func sample(every interval: Duration, on scheduler: some SignalScheduler) -> Signal {
        precondition(interval > .zero, "sample(every:on:) needs an interval longer than zero.")
        return timed(
            (begun: Duration.zero, latest: Value?.none), on: scheduler,
            .init(
                demand: .unlimited,
                onStart: { $0.state.begun = $0.now },
                onValue: { run, value in
                    run.state.latest = value
                    if run.isTimerSet { return }
                    // The timer fires at the end of the current interval. An interval without a value needs no timer.
                    let gone = (run.now - run.state.begun).attoseconds % interval.attoseconds
                    run.setTimer(after: interval - Duration(attoseconds: gone))
                },
                onFinish: { run, completion in run.end(completion, after: run.state.latest.take(), stage: "sample") },
                onTimer: { run in if let latest = run.state.latest.take() { run.emit(latest) } })
        ).conflate().receive(on: scheduler)
    }
}
