extension Signal {
    /// Returns a signal that makes a signal from a value and delivers it to its end; values that arrive meanwhile are
    /// ignored.
    ///
    /// ```swift
    /// let taps = Broadcast<Void, Never>(), answer = Broadcast<String, Never>()
    /// let token = taps.signal.flatMapFirst { answer.signal.first() }.sink { print($0) }
    /// taps.send()
    /// taps.send()  // ignored: the first is not answered
    /// answer.send("saved")  // saved
    /// ```
    ///
    /// A closure of several statements names its result: `{ value -> Signal<Output, Failure> in … }`.
    ///
    /// - Delivery: the values of the inner signal, which receives the outstanding demand. It finishes when the upstream
    ///   and the inner signal have. Demand on the upstream is unlimited.
    /// - Failure: the first one, of the upstream or the inner signal.
    @inlinable
    public func flatMapFirst<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Failure>
    ) -> Signal<Output, Failure> {
        switching("flatMapFirst") { follower, value in follower.followUnlessFollowing { transform(value) } }
    }

    /// Returns a signal as `flatMapFirst(_:)`, whose inner signals cannot fail.
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
    /// Returns a signal as `flatMapFirst(_:)`, whose inner signals may fail although its upstream cannot.
    ///
    /// - Failure: the first one of an inner signal.
    @inlinable @_disfavoredOverload
    public func flatMapFirst<Output: Sendable, Other: Error>(
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Other>
    ) -> Signal<Output, Other> {
        setFailureType(to: Other.self).flatMapFirst(transform)
    }
}
