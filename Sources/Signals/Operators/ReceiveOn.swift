extension Signal {
    /// Returns the same signal, delivered on a scheduler.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...3)
    ///     .receive(on: DispatchQueue.main)
    ///     .sink { print($0) }  // 1 2 3, on the main queue
    /// ```
    ///
    /// - Delivery: values and the end on the scheduler, in order and one at a time, also on a concurrent queue. The
    ///   upstream is attached and asked at once, on the thread that does so. What waits for the scheduler is at most
    ///   what was requested.
    /// - Failure: the upstream's, after the values that came before it.
    @inlinable
    public func receive(on scheduler: some SignalScheduler) -> Signal {
        lift { next in
            let hop = Hop(next, schedule: { scheduler.schedule($0) })
            return Sink(
                onUpstream: { hop.receive(upstream: $0) },
                onValue: {
                    hop.receive(.value($0))
                    return .none
                },
                onCompletion: { hop.receive(.end($0)) })
        }
    }
}
