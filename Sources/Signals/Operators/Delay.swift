extension Signal {
    /// Returns the same signal, delayed by a fixed time.
    ///
    /// ```swift
    /// let later = Signal<Int, Never>.just(1).delay(for: .seconds(1), on: DispatchQueue.main)
    /// ```
    ///
    /// - Delivery: on the scheduler, each value and the finish, in order, `time` after it arrived. Demand passes to the
    ///   upstream unchanged, so the operator buffers no more values than the sink has requested.
    /// - Failure: the upstream's, `time` after it arrived, after all earlier values.
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
                    // The event for which the timer was set is due, even if the scheduler's clock stands still.
                    guard let due = run.state.first?.due else { return }
                    while let first = run.state.first {
                        if first.due > Swift.max(due, run.now) { return run.setTimer(after: first.due - run.now) }
                        _ = run.state.popFirst()
                        switch first.event {
                        case .value(let value): run.emit(value)
                        case .completion(let completion): run.end(completion)
                        }
                    }
                })
        ).receive(on: scheduler)
    }
}
