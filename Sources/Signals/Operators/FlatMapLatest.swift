extension Signal {
    /// Returns a signal that turns each value into an inner signal and delivers the values of the latest inner signal.
    ///
    /// ```swift
    /// let searches = Broadcast<String, Never>()
    /// let token = searches.signal.flatMapLatest { Signal<String, Never>.just("results for \($0)") }.sink { print($0) }
    /// searches.send("swift")  // results for swift
    /// ```
    ///
    /// A closure of several statements must name its result type: `{ value -> Signal<Output, Failure> in … }`.
    ///
    /// - Delivery: the same as with `map` followed by `switchToLatest`.
    /// - Failure: the first failure of the upstream or the latest inner signal.
    @inlinable
    public func flatMapLatest<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Failure>
    ) -> Signal<Output, Failure> {
        switching("flatMapLatest") { follower, value in follower.follow(transform(value)) }
    }

    /// Applies `flatMapLatest(_:)` with inner signals that cannot fail.
    ///
    /// - Failure: the upstream's.
    @inlinable @_disfavoredOverload
    public func flatMapLatest<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Never>
    ) -> Signal<Output, Failure> {
        flatMapLatest { transform($0).setFailureType(to: Failure.self) }
    }
}

extension Signal where Failure == Never {
    /// Applies `flatMapLatest(_:)` to a signal that cannot fail, with inner signals that can fail.
    ///
    /// - Failure: the failure of the latest inner signal.
    @inlinable @_disfavoredOverload
    public func flatMapLatest<Output: Sendable, Other: Error>(
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Other>
    ) -> Signal<Output, Other> {
        setFailureType(to: Other.self).flatMapLatest(transform)
    }
}
