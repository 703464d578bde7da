extension Signal {
    /// Returns a signal of at most one value in each interval.
    ///
    /// ```swift
    /// let positions = Broadcast<Int, Never>()
    /// let token = positions.signal.throttle(for: .milliseconds(100), on: DispatchQueue.main, latest: true)
    ///     .sink { print($0) }
    /// ```
    ///
    /// - Delivery: on the scheduler, the first value as soon as it arrives. At the end of each interval in which values
    ///   arrive, the operator delivers the latest of these values, or the first if `latest` is false. When the upstream
    ///   finishes, it delivers the pending value at once. It buffers one value, and one more for a sink without demand.
    ///   Demand on the upstream is unlimited.
    /// - Failure: the upstream's, on the scheduler, without waiting for the end of the interval. The operator drops the
    ///   pending value and reports it to `DiscardHook`.
    public func throttle(for interval: Duration, on scheduler: some SignalScheduler, latest: Bool) -> Signal {
        timed(
            Value?.none, on: scheduler,
            .init(
                demand: .unlimited,
                onValue: { run, value in
                    if !run.isTimerSet {
                        run.setTimer(after: interval)
                        run.emit(value)
                    } else if latest || run.state == nil {
                        run.state = value
                    }
                },
                onFinish: { run, completion in run.end(completion, after: run.state.take(), stage: "throttle") },
                onTimer: { run in
                    guard let waiting = run.state.take() else { return }
                    run.setTimer(after: interval)
                    run.emit(waiting)
                })
        ).conflate().receive(on: scheduler)
    }
}
