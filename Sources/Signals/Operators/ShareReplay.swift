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
    /// - Delivery: the last values, then later ones, without gaps or duplicates. For a sink without demand, up to
    ///   `count` newest values are kept. Demand on the upstream is that of `share`. The upstream is cancelled, and the
    ///   values are forgotten, when the last sink detaches: two calls of `value()` in a row each have their own run,
    ///   while `cache()` keeps its run.
    /// - Failure: the upstream's, to all sinks.
    public func share(replay count: Int) -> Signal { shared(replay: count, linger: nil) }

    /// Applies `share(replay:)`, and keeps the upstream for a while after the last sink has detached.
    ///
    /// - Delivery: as `share(replay:)`; a sink that attaches during `linger` gets the last values and continues with
    ///   the same run.
    /// - Failure: the upstream's, to all sinks.
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
