extension Signal {
    /// Returns a signal that runs its upstream once and replays all its values, and its end, to each sink forever.
    ///
    /// ```swift
    /// let answer = Signal<Int, Never>.deferred { print("asked"); return .just(42) }.cache()
    /// let first = answer.sink { print($0) }  // asked 42
    /// let second = answer.sink { print($0) }  // 42
    /// let third = await answer.value()
    /// print(third as Any)  // Optional(42)
    /// ```
    ///
    /// The run is kept from its first value on, even without sinks, so that consecutive calls of `value()` share it. It
    /// waits while no sink is attached, and continues with the next. If all sinks leave before the first value, the run
    /// is cancelled, and the next sink starts a new one. A failure is kept like any other end: put `retry` before the
    /// cache. Releasing the signal and its sinks cancels the run. `share(replay:)` keeps a few values, and none once
    /// its last sink has left.
    ///
    /// - Delivery: all values from the first on, as they are requested, then later ones. While there is a sink, values
    ///   are requested from the upstream one after another, whatever the sinks request. Without a sink none is
    ///   requested, and a hot source applies its `whenFull` to its values.
    /// - Failure: the upstream's, to all sinks, including later ones.
    /// - Complexity: O(n) in memory in the number of values, as long as the signal is kept; a sink that has fallen
    ///   behind holds as many again.
    public func cache() -> Signal {
        Sharing(self, connectsFirst: true, linger: nil) {
            Hub(stage: "cache", bufferSize: .max, replays: .max, replaysAfterEnd: true)
        }.signal
    }
}
