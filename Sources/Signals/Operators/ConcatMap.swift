extension Signal {
    /// Returns a signal that makes a signal from each value and delivers them one after another.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...2)
    ///     .concatMap { Signal<Int, Never>.sequence([$0, $0 * 10]) }
    ///     .sink { print($0) }  // 1 10 2 20
    /// ```
    ///
    /// A closure of several statements names its result: `{ value -> Signal<Output, Failure> in … }`.
    ///
    /// - Delivery: all values of the first inner signal, then all of the second, and so on. The next value is requested
    ///   from the upstream when an inner signal has finished and its values have been delivered; put `buffer` before it
    ///   when nothing from a hot upstream may be lost meanwhile.
    /// - Failure: the first one, of the upstream or an inner signal.
    @inlinable
    public func concatMap<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Failure>
    ) -> Signal<Output, Failure> {
        fanning(.max(1), stage: "concatMap", transform)
    }

    /// Returns a signal as `concatMap(_:)`, whose inner signals cannot fail.
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
    /// Returns a signal as `concatMap(_:)`, whose inner signals may fail although its upstream cannot.
    ///
    /// - Failure: the first one of an inner signal.
    @inlinable @_disfavoredOverload
    public func concatMap<Output: Sendable, Other: Error>(
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Other>
    ) -> Signal<Output, Other> {
        setFailureType(to: Other.self).concatMap(transform)
    }
}
