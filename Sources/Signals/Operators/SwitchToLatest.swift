extension Signal {
    /// Returns a signal of the values of its latest inner signal; a new one replaces the previous one, which is
    /// cancelled.
    ///
    /// ```swift
    /// let pages = Broadcast<Signal<String, Never>, Never>()
    /// let token = pages.signal.switchToLatest().sink { print($0) }
    /// pages.send(.just("first"))  // first
    /// ```
    ///
    /// - Delivery: the values of the latest inner signal, which receives the outstanding demand. It finishes when the
    ///   upstream and the latest inner signal have. Demand on the upstream is unlimited.
    /// - Failure: the first one, of the upstream or the latest inner signal.
    @inlinable
    public func switchToLatest<Output: Sendable>() -> Signal<Output, Failure> where Value == Signal<Output, Failure> {
        switching("switchToLatest") { follower, inner in follower.follow(inner) }
    }

    /// Applies `switchToLatest()` with inner signals that cannot fail.
    ///
    /// - Failure: the upstream's.
    @inlinable @_disfavoredOverload
    public func switchToLatest<Output: Sendable>() -> Signal<Output, Failure> where Value == Signal<Output, Never> {
        flatMapLatest { $0.setFailureType(to: Failure.self) }
    }
}

extension Signal where Failure == Never {
    /// Applies `switchToLatest()` to a signal that cannot fail, with inner signals that may.
    ///
    /// - Failure: the first one of a latest inner signal.
    @inlinable @_disfavoredOverload
    public func switchToLatest<Output: Sendable, Other: Error>() -> Signal<Output, Other>
    where Value == Signal<Output, Other> {
        setFailureType(to: Other.self).switchToLatest()
    }
}
