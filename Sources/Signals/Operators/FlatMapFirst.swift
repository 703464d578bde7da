extension Signal {
    /// Returns a signal that turns a value into an inner signal, and ignores all values that arrive before that inner
    /// signal ends.
    ///
    /// ```swift
    /// let taps = Broadcast<Void, Never>(), answer = Broadcast<String, Never>()
    /// let token = taps.signal.flatMapFirst { answer.signal.first() }.sink { print($0) }
    /// taps.send()
    /// taps.send()  // ignored: the first is not answered
    /// answer.send("saved")  // saved
    /// ```
    ///
    /// A closure of several statements must name its result type: `{ value -> Signal<Output, Failure> in … }`.
    ///
    /// - Delivery: the values of the current inner signal, which receives the sink's outstanding demand. The run
    ///   finishes when the upstream and the current inner signal have finished. Demand on the upstream is unlimited.
    /// - Failure: the first failure of the upstream or an inner signal.
    @inlinable
    public func flatMapFirst<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Failure>
    ) -> Signal<Output, Failure> {
        switching("flatMapFirst") { follower, value in follower.followUnlessFollowing { transform(value) } }
    }

    /// Applies `flatMapFirst(_:)` with inner signals that cannot fail.
    ///
    /// - Failure: the upstream's.
    @inlinable @_disfavoredOverload
    public func flatMapFirst<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Never>
    ) -> Signal<Output, Failure> {
        flatMapFirst { transform($0).setFailureType(to: Failure.self) }
    }
}

extension Signal where Failure == Never {
    /// Applies `flatMapFirst(_:)` to a signal that cannot fail, with inner signals that can fail.
    ///
    /// - Failure: the first failure of an inner signal.
    @inlinable @_disfavoredOverload
    public func flatMapFirst<Output: Sendable, Other: Error>(
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Other>
    ) -> Signal<Output, Other> {
        setFailureType(to: Other.self).flatMapFirst(transform)
    }
}
