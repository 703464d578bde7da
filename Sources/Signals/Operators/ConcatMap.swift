extension Signal {
    /// Returns a signal that turns each value into an inner signal and delivers the values of one inner signal after
    /// another.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...2)
    ///     .concatMap { Signal<Int, Never>.sequence([$0, $0 * 10]) }
    ///     .sink { print($0) }  // 1 10 2 20
    /// ```
    ///
    /// A closure of several statements must name its result type: `{ value -> Signal<Output, Failure> in … }`.
    ///
    /// - Delivery: all values of the first inner signal, then all values of the second, and so on. The operator
    ///   requests the next upstream value once an inner signal has finished and its values have been delivered. Until
    ///   then, a hot upstream can lose values; put `buffer` before the operator to keep them.
    /// - Failure: the first failure of the upstream or an inner signal.
    @inlinable
    public func concatMap<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Failure>
    ) -> Signal<Output, Failure> {
        fanning(.max(1), stage: "concatMap", transform)
    }

    /// Applies `concatMap(_:)` with inner signals that cannot fail.
    ///
    /// - Failure: the upstream's.
    @inlinable @_disfavoredOverload
    public func concatMap<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Never>
    ) -> Signal<Output, Failure> {
        concatMap { transform($0).setFailureType(to: Failure.self) }
    }
}

extension Signal where Failure == Never {
    /// Applies `concatMap(_:)` to a signal that cannot fail, with inner signals that can fail.
    ///
    /// - Failure: the first failure of an inner signal.
    @inlinable @_disfavoredOverload
    public func concatMap<Output: Sendable, Other: Error>(
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Other>
    ) -> Signal<Output, Other> {
        setFailureType(to: Other.self).concatMap(transform)
    }
}
