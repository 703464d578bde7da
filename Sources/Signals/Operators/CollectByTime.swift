extension Signal {
    /// Returns a signal of arrays of the values that arrived in each interval.
    ///
    /// ```swift
    /// let rows = Broadcast<Int, Never>()
    /// let batches = rows.signal.collect(every: .seconds(1), on: DispatchQueue.global(), atMost: 500)
    /// ```
    ///
    /// - Delivery: on the scheduler, an array when `interval` has passed since the array's first value, or at once when
    ///   the array has `atMost` values. No array is empty. At the finish, the remaining values are delivered at once.
    ///   Demand on the upstream is unlimited, so without `atMost` the length of an array has no bound. Arrays that wait
    ///   for demand are joined into one. No more arrays wait for the scheduler than the sink has requested.
    /// - Failure: the upstream's, on the scheduler, at once; buffered values are dropped and reported to `DiscardHook`.
    public func collect(
        every interval: Duration, on scheduler: some SignalScheduler, atMost count: Int = .max
    ) -> Signal<[Value], Failure> {
        precondition(count > 0, "collect(every:on:atMost:) needs a limit of one or more.")
        return timed(
            [Value](), on: scheduler,
            .init(
                demand: .unlimited,
                onValue: { run, value in
                    run.state.append(value)
                    if run.state.count >= count {
                        run.clearTimer()
                        run.emitAll()
                    } else if !run.isTimerSet {
                        run.setTimer(after: interval)
                    }
                },
                onFinish: { run, completion in
                    if case .finished = completion { run.emitAll() }
                    for value in run.state { DiscardHook.report(value, .afterEnd, stage: "collect") }
                    run.end(completion)
                },
                onTimer: { $0.emitAll() })
        ).conflate(into: { $0 += $1 }).receive(on: scheduler)
    }
}

extension Timed where State == [Value], Output == [Value] {
    fileprivate func emitAll() {
        let batch = state
        state = []
        if !batch.isEmpty { emit(batch) }
    }
}
