extension Signal {
    /// Returns a signal that attaches its upstream once for all its sinks, and first replays the last `count` values to
    /// a late sink.
    ///
    /// ```swift
    /// let source = Broadcast<Int, Never>()
    /// let shared = source.signal.share(replay: 1)
    /// let early = shared.sink { _ in }
    /// source.send(1)
    /// let late = shared.sink { print($0) }  // 1
    /// ```
    ///
    /// - Delivery: the last `count` values, then later values, without gaps or duplicates. For a sink without demand,
    ///   the operator keeps up to `count` of the newest values. Demand on the upstream is the same as for `share`. When
    ///   the last sink detaches, the operator cancels the upstream and forgets the values. So two calls of `value()` in
    ///   a row start two runs, while with `cache()` they share one run.
    /// - Failure: the upstream's, delivered to all sinks.
    public func share(replay count: Int) -> Signal { shared(replay: count, linger: nil) }

    /// Applies `share(replay:)`, but cancels the upstream only after `linger` has passed without a sink.
    ///
    /// - Delivery: the same as for `share(replay:)`. A sink that attaches during `linger` receives the last values and
    ///   then joins the same run.
    /// - Failure: the upstream's, delivered to all sinks.
    public func share(replay count: Int, linger: Duration, on scheduler: some SignalScheduler) -> Signal {
        shared(replay: count, linger: { scheduler.schedule(after: linger, $0) })
    }

    private func shared(
        replay count: Int, linger: (@Sendable (@escaping @Sendable () -> Void) -> SignalToken)?
    ) -> Signal {
        precondition(count > 0, "share(replay:) needs a count of one or more.")
        return Sharing(self, connectsFirst: true, linger: linger) {
            Hub(stage: "share", bufferSize: count, whenFull: .dropOldest, replays: count, source: Arbiter())
        }.signal
    }
}
