extension Signal {
    /// Returns a signal that attaches its upstream once for all its sinks, and cancels it when the last one detaches.
    ///
    /// ```swift
    /// let shared = Signal<Int, Never>.deferred { print("attached"); return .never() }.share()
    /// let first = shared.sink { print($0) }  // attached
    /// let second = shared.sink { print($0) }  // nothing more
    /// ```
    ///
    /// - Delivery: the upstream's values from the moment a sink attaches. An upstream that can wait, such as a
    ///   sequence, makes as many values as the most demanding sink requests; any other is not limited. Up to
    ///   `bufferSize` values wait for a sink without demand. Once the upstream has ended, the next sink attaches it
    ///   again.
    /// - Failure: the upstream's, to all sinks.
    public func share(bufferSize: Int = 0, whenFull strategy: BufferingStrategy<Never> = .dropNewest) -> Signal {
        Sharing(self, connectsFirst: true, linger: nil) {
            Hub(stage: "share", bufferSize: bufferSize, whenFull: strategy, source: Arbiter())
        }.signal
    }
}
