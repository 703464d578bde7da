extension Signal {
    /// Returns a signal of what the latest of its inner signals delivers; a new one replaces the one before, which is
    /// cancelled.
    ///
    /// ```swift
    /// let pages = Broadcast<Signal<String, Never>, Never>()
    /// let token = pages.signal.switchToLatest().sink { print($0) }
    /// pages.send(.just("first"))  // first
    /// ```
    ///
    /// - Delivery: the values of the latest inner signal, which is asked for what is still outstanding. It finishes
    ///   when the upstream and the latest inner signal have. The upstream is asked for everything.
    /// - Failure: the first one, of the upstream or the latest inner signal.
    @inlinable
    public func switchToLatest<Output: Sendable>() -> Signal<Output, Failure> where Value == Signal<Output, Failure> {
        lift { next in
            let follower = Switch(next)
            return Sink(
                onUpstream: { follower.receive(upstream: $0) },
                onValue: {
                    follower.follow($0)
                    return .none
                },
                onCompletion: { follower.end($0) })
        }
    }
}
