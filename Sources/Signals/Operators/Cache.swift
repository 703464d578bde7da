extension Signal {
    /// Returns a signal that runs its upstream once and replays everything it delivered, and how it ended, to each sink
    /// forever.
    ///
    /// ```swift
    /// let answer = Signal<Int, Never>.deferred { print("asked"); return .just(42) }.cache()
    /// let first = answer.sink { print($0) }  // asked 42
    /// let second = answer.sink { print($0) }  // 42
    /// let third = await answer.value()
    /// print(third as Any)  // Optional(42)
    /// ```
    ///
    /// The run is kept from its first value on, whoever leaves: a `value()`, which leaves when it has its value, is
    /// answered by the same run as the next one. It waits while no sink is attached, and goes on with the next. If all
    /// sinks leave before the first value, the run is cancelled and forgotten, and the next sink starts it again. A
    /// failure is kept like any other end: put `retry` before the cache. Releasing the signal and its sinks cancels the
    /// run. `share(replay:)` keeps a few values, and nothing once its last sink has left.
    ///
    /// - Delivery: all values from the first on, as they are requested, then what follows. While there is a sink, one
    ///   value after another is requested from the upstream, whatever the sinks request; without one, none is: a hot
    ///   source then does with its values what its `whenFull` says.
    /// - Failure: the upstream's, to all sinks, including later ones.
    /// - Complexity: O(n) in memory in the number of values, as long as the signal is kept; a sink that has fallen
    ///   behind holds as many again.
    public func cache() -> Signal {
        Sharing(self, connectsFirst: true, linger: nil) {
            Hub(stage: "cache", bufferSize: .max, replays: .max, replaysAfterEnd: true)
        }.signal
    }
}
