extension Signal {
    /// Returns a signal of the latest value in each interval, counted from the attach.
    ///
    /// ```swift
    /// let position = CurrentValue<Int, Never>(0)
    /// let token = position.signal.sample(every: .seconds(1), on: DispatchQueue.main).sink { print($0) }
    /// ```
    ///
    /// `throttle` delivers the first value at once, and begins its interval with it.
    ///
    /// - Delivery: on the scheduler, the latest value at the end of each interval in which one arrived. At the finish,
    ///   the pending value at once. It holds the pending value, and the latest one for a sink without demand. Demand on
    ///   the upstream is unlimited.
    /// - Failure: the upstream's, on the scheduler, at once; the pending value goes to `DiscardHook`.
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
                    // Set to the end of this interval; an interval without a value sets no timer.
                    let gone = (run.now - run.state.begun).attoseconds % interval.attoseconds
                    run.setTimer(after: interval - Duration(attoseconds: gone))
                },
                onFinish: { run, completion in run.end(completion, after: run.state.latest.take(), stage: "sample") },
                onTimer: { run in if let latest = run.state.latest.take() { run.emit(latest) } })
        ).conflate().receive(on: scheduler)
    }
}
