extension Signal {
    /// Returns a shared signal that waits for `connect()`, so that several sinks can attach before the first value.
    ///
    /// ```swift
    /// let numbers = Signal<Int, Never>.sequence(1...2).multicast()
    /// let a = numbers.signal.sink { print("a", $0) }
    /// let b = numbers.signal.sink { print("b", $0) }
    /// let connection = numbers.connect()  // a 1, b 1, a 2, b 2
    /// ```
    ///
    /// - Delivery: the upstream's values, beginning with the call of `connect()`. The operator requests as many values
    ///   from the upstream as `share` does. Up to `bufferSize` values wait for a sink without demand. Use `share` to
    ///   connect automatically with the first sink, as Combine's `multicast` does with `autoconnect`.
    /// - Failure: the upstream's, delivered to all sinks.
    public func multicast(
        bufferSize: Int = 0, whenFull strategy: BufferingStrategy<Never> = .dropNewest
    ) -> ConnectableSignal<Value, Failure> {
        ConnectableSignal(
            sharing: Sharing(self, connectsFirst: false, linger: nil) {
                Hub(stage: "multicast", bufferSize: bufferSize, whenFull: strategy, source: Arbiter())
            })
    }
}
