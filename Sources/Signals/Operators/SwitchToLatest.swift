extension Signal {
    /// Returns a signal of the values of its latest inner signal.
    ///
    /// Each new inner signal replaces and cancels the previous one.
    ///
    /// ```swift
    /// let pages = Broadcast<Signal<String, Never>, Never>()
    /// let token = pages.signal.switchToLatest().sink { print($0) }
    /// pages.send(.just("first"))  // first
    /// ```
    ///
    /// - Delivery: the values of the latest inner signal, which receives the sink's outstanding demand. The run
    ///   finishes when the upstream and the latest inner signal have finished. Demand on the upstream is unlimited.
    /// - Failure: the first failure of the upstream or the latest inner signal.
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
    /// Applies `switchToLatest()` to a signal that cannot fail, with inner signals that can fail.
    ///
    /// - Failure: the failure of the latest inner signal.
    @inlinable @_disfavoredOverload
    public func switchToLatest<Output: Sendable, Other: Error>() -> Signal<Output, Other>
    where Value == Signal<Output, Other> {
        setFailureType(to: Other.self).switchToLatest()
    }
}
