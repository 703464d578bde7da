extension Signal {
    /// Returns a signal of the time between each value and the previous one; for the first value, the time since the
    /// attach.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.just(1).measureInterval(on: .immediate).sink { print($0) }  // 0.0 seconds
    /// ```
    ///
    /// - Delivery: one duration for each upstream value, on the upstream's thread.
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
