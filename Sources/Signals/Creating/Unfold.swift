extension Signal {
    /// Returns a signal that calls `next` with a state for each requested value, until `next` returns nil or throws.
    ///
    /// ```swift
    /// let powers = Signal<Int, Never>.unfold(1) { state in
    ///     defer { state *= 2 }
    ///     return state < 10 ? state : nil
    /// }
    /// let token = powers.sink { print($0) }  // 1 2 4 8
    /// ```
    ///
    /// - Delivery: on the requesting thread. `next` is never called without demand, so the signal ends only when the
    ///   sink requests a value after the last one.
    /// - Failure: the error that `next` throws.
    @inlinable
    public static func unfold<State: Sendable>(
        _ initial: State, next: @escaping @Sendable (inout State) throws(Failure) -> Value?
    ) -> Signal {
        Signal(trusted: { sink in
            let run = PullRun<State, Value, Failure>(initial)
            if sink.requestsAllAtOnce { return run.serveAll(sink, next: next) }
            sink.receive(
                upstream: Upstream(
                    request: { run.answer($0, sink, lookingAhead: false, next: next) },
                    cancel: { run.demand.close() }))
        })
    }
}
