extension Signal {
    /// Returns a signal that turns each value into a signal and delivers these one after another.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...2)
    ///     .concatMap { Signal<Int, Never>.sequence([$0, $0 * 10]) }
    ///     .sink { print($0) }  // 1 10 2 20
    /// ```
    ///
    /// A closure of several statements must name its result type: `{ value -> Signal<Output, Failure> in … }`.
    ///
    /// - Delivery: all values of the first inner signal, then all of the second, and so on. The next value is requested
    ///   from the upstream when an inner signal has finished and its values have been delivered; put `buffer` before it
    ///   if no value of a hot upstream may be lost in the meantime.
    /// - Failure: the first one, of the upstream or an inner signal.
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
    /// Applies `concatMap(_:)` to a signal that cannot fail, with inner signals that may.
    ///
    /// - Failure: the first one of an inner signal.
    @inlinable @_disfavoredOverload
    public func concatMap<Output: Sendable, Other: Error>(
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Other>
    ) -> Signal<Output, Other> {
        setFailureType(to: Other.self).concatMap(transform)
    }
}
