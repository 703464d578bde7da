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
}
