extension Signal {
    /// Returns a signal that runs its upstream once, and replays all values and the end of this run to every sink.
    ///
    /// ```swift
    /// let answer = Signal<Int, Never>.deferred { print("asked"); return .just(42) }.cache()
    /// let first = answer.sink { print($0) }  // asked 42
    /// let second = answer.sink { print($0) }  // 42
    /// let third = await answer.value()
    /// print(third as Any)  // Optional(42)
    /// ```
    ///
    /// The run is kept from its first value on, even without sinks, so that consecutive calls of `value()` share it.
    /// While no sink is attached, the run waits; it continues when the next sink attaches. If all sinks leave before
    /// the first value, the run is cancelled, and the next sink starts a new run. A failure is kept, too: to retry a
    /// failed upstream, put `retry` before the cache. Releasing the signal and its sinks cancels the run. By contrast,
    /// `share(replay:)` keeps a few values, and none once its last sink has left.
    ///
    /// - Delivery: all values from the first on, as they are requested, then later values. While a sink is attached,
    ///   values are requested from the upstream one after another, however many the sinks request. Without a sink, no
    ///   value is requested, and a hot source handles its values by its own `whenFull` strategy.
    /// - Failure: the upstream's, to all sinks, including later ones.
    /// - Complexity: O(n) memory in the number of values, as long as the signal is kept. For each sink that has fallen
    ///   behind, up to n more values are buffered.
    public func cache() -> Signal {
        Sharing(self, connectsFirst: true, linger: nil) {
            Hub(stage: "cache", bufferSize: .max, replays: .max, replaysAfterEnd: true)
        }.signal
    }
}
