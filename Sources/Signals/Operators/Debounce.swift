extension Signal {
    /// Returns a signal of the values that are followed by a pause.
    ///
    /// ```swift
    /// let typing = Broadcast<String, Never>()
    /// let token = typing.signal.debounce(for: .milliseconds(300), on: DispatchQueue.main).sink { print($0) }
    /// ```
    ///
    /// - Delivery: on the scheduler, the latest value once `pause` has passed without a newer value. When the upstream
    ///   finishes, the operator delivers the pending value at once. It buffers the pending value and, for a sink
    ///   without demand, the latest debounced value. Demand on the upstream is unlimited.
    /// - Failure: the upstream's, on the scheduler, without waiting for `pause`. The operator drops the pending value
    ///   and reports it to `DiscardHook`.
    public func debounce(for pause: Duration, on scheduler: some SignalScheduler) -> Signal {
        timed(
            Value?.none, on: scheduler,
            .init(
                demand: .unlimited,
                onValue: { run, value in
                    run.state = value
                    run.setTimer(after: pause)
                },
                onFinish: { run, completion in run.end(completion, after: run.state.take(), stage: "debounce") },
                onTimer: { run in if let waiting = run.state.take() { run.emit(waiting) } })
        ).conflate().receive(on: scheduler)
    }
}
