extension Signal {
    /// Returns a signal that attaches its upstream once for all its sinks, and gives a late one the last `count`
    /// values first.
    ///
    /// ```swift
    /// let source = Broadcast<Int, Never>()
    /// let shared = source.signal.share(replay: 1)
    /// let early = shared.sink { _ in }
    /// source.send(1)
    /// let late = shared.sink { print($0) }  // 1
    /// ```
    ///
    /// - Delivery: the last values, then what follows, without a gap or a double. A sink without demand is kept up to
    ///   `count` newest values. The upstream is asked for everything and cancelled when the last sink has left.
    /// - Failure: the upstream's, to all sinks.
    public func share(replay count: Int) -> Signal { shared(replay: count, linger: nil) }

    /// Returns a signal as `share(replay:)`, which keeps its upstream for a while after the last sink has left.
    ///
    /// - Delivery: as `share(replay:)`; a sink that comes during `linger` gets the last values and goes on with the
    ///   same run.
    /// - Failure: the upstream's, to all sinks.
    public func share(replay count: Int, linger: Duration, on scheduler: some SignalScheduler) -> Signal {
        shared(replay: count, linger: { scheduler.schedule(after: linger, $0) })
    }

    private func shared(
        replay count: Int, linger: (@Sendable (@escaping @Sendable () -> Void) -> SignalToken)?
    ) -> Signal {
        precondition(count > 0, "share(replay:) needs a count of one or more.")
        let sharing = Sharing(self, connectsFirst: true, linger: linger) {
            Hub(backlog: count == 1 ? .latest : .newest(count), replays: count)
        }
        return Signal(trusted: { sharing.attach($0) })
    }
}
