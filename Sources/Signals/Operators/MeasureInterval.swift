extension Signal {
    /// Returns a signal of the time that passed before each value, since the value before it or the attach.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.just(1).measureInterval(on: .immediate).sink { print($0) }  // 0.0 seconds
    /// ```
    ///
    /// - Delivery: one duration for each value, on the same thread.
    /// - Failure: the upstream's.
    public func measureInterval(on scheduler: some SignalScheduler) -> Signal<Duration, Failure> {
        lift { next in
            let last = Serial(scheduler.now)
            return Sink(
                passingTo: next,
                onValue: { _ in
                    let now = scheduler.now
                    defer { last.state = now }
                    return next.receive(now - last.state)
                })
        }
    }
}
