extension Signal {
    /// Returns a signal that attaches its upstream once for all its sinks, and cancels the upstream when the last sink
    /// detaches.
    ///
    /// ```swift
    /// let shared = Signal<Int, Never>.deferred { print("attached"); return .never() }.share()
    /// let first = shared.sink { print($0) }  // attached
    /// let second = shared.sink { print($0) }  // nothing more
    /// ```
    ///
    /// - Delivery: each sink receives the upstream's values that arrive after the sink has attached. The operator
    ///   requests from the upstream as many values as its most demanding sink requests. This limits only an upstream
    ///   that can wait, such as a sequence. Up to `bufferSize` values wait for a sink without demand. After the
    ///   upstream has ended, the next sink attaches the upstream again.
    /// - Failure: the upstream's, delivered to all sinks.
    public func share(bufferSize: Int = 0, whenFull strategy: BufferingStrategy<Never> = .dropNewest) -> Signal {
        Sharing(self, connectsFirst: true, linger: nil) {
            Hub(stage: "share", bufferSize: bufferSize, whenFull: strategy, source: Arbiter())
        }.signal
    }
}
