extension Signal {
    /// Returns a signal that runs its upstream once and replays everything it delivered, and how it ended, to each sink
    /// forever.
    ///
    /// ```swift
    /// let answer = Signal<Int, Never>.deferred { print("asked"); return .just(42) }.cache()
    /// let first = answer.sink { print($0) }  // asked 42
    /// let second = answer.sink { print($0) }  // 42
    /// ```
    ///
    /// A failure is kept like any other end: put `retry` before the cache. If all sinks detach before a run ends, it is
    /// cancelled and forgotten, and the next sink starts it anew. `share(replay:)` keeps a few values of a run in
    /// progress, and nothing after its end.
    ///
    /// - Delivery: all values from the first on, as they are requested, then what follows. Demand on the upstream is
    ///   unlimited.
    /// - Failure: the upstream's, to all sinks, including later ones.
    /// - Complexity: O(n) in memory in the number of values, as long as the signal is kept; a sink that has fallen
    ///   behind holds as many again.
    public func cache() -> Signal {
        let sharing = Sharing(self, connectsFirst: true, keepsEnd: true, linger: nil) {
            Hub(stage: "cache", backlog: .oldest(.max), replays: .max, replaysAfterEnd: true)
        }
        return Signal(trusted: { sharing.attach($0) })
    }
}
