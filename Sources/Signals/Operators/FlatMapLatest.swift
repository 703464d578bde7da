extension Signal {
    /// Returns a signal that makes a signal from each value and delivers the values of the latest.
    ///
    /// ```swift
    /// let searches = Broadcast<String, Never>()
    /// let token = searches.signal.flatMapLatest { Signal<String, Never>.just("results for \($0)") }.sink { print($0) }
    /// searches.send("swift")  // results for swift
    /// ```
    ///
    /// A closure of several statements names its result: `{ value -> Signal<Output, Failure> in … }`.
    ///
    /// - Delivery: as `map` followed by `switchToLatest`.
    /// - Failure: the first one, of the upstream or the latest inner signal.
    @inlinable
    public func flatMapLatest<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Failure>
    ) -> Signal<Output, Failure> {
        switching("flatMapLatest") { follower, value in follower.follow(transform(value)) }
    }
}
