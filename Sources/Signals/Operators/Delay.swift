extension Signal {
    /// Returns the same signal, delivered later by a fixed time.
    ///
    /// ```swift
    /// let later = Signal<Int, Never>.just(1).delay(for: .seconds(1), on: DispatchQueue.main)
    /// ```
    ///
    /// - Delivery: on the scheduler, each value and the finish, in order, `time` after they came. Demand is passed on
    ///   as it is, so what waits is at most what was requested.
    /// - Failure: the upstream's, `time` after it came, after the values that came before it.
    public func delay(for time: Duration, on scheduler: some SignalScheduler) -> Signal {
        timed(
            RingBuffer<(due: Duration, event: SignalEvent<Value, Failure>)>(), on: scheduler,
            .init(
                demand: nil,
                onValue: { run, value in
                    run.state.append((run.now + time, .value(value)))
                    if !run.isTimerSet { run.setTimer(after: time) }
                },
                onFinish: { run, completion in
                    run.state.append((run.now + time, .completion(completion)))
                    if !run.isTimerSet { run.setTimer(after: time) }
                },
                onTimer: { run in
                    while let first = run.state.first {
                        if first.due > run.now { return run.setTimer(after: first.due - run.now) }
                        _ = run.state.popFirst()
                        switch first.event {
                        case .value(let value): run.emit(value)
                        case .completion(let completion): run.end(completion)
                        }
                    }
                }))
    }
}
