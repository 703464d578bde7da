extension Signal {
    /// Returns a signal of the transformed values.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...3).map { $0 * 10 }.sink { print($0) }  // 10 20 30
    /// ```
    ///
    /// - Delivery: one value for each upstream value, on the upstream's thread.
    @inlinable
    public func map<Output>(_ transform: @escaping @Sendable (Value) -> Output) -> Signal<Output, Failure> {
        lift { next in
            Sink(passingTo: next, onValue: { next.receive(transform($0)) })
        }
    }

    /// Returns a signal of the transformed values; the signal fails if the closure throws.
    ///
    /// ```swift
    /// struct Negative: Error {}
    /// let roots = Signal<Double, Negative>.sequence([4, -1, 9]).tryMap { value throws(Negative) in
    ///     if value < 0 { throw Negative() }
    ///     return value.squareRoot()
    /// }
    /// let token = roots.sink(onValue: { print($0) }, onCompletion: { print($0) })  // 2.0 failure(Negative())
    /// ```
    ///
    /// - Delivery: one value for each upstream value, on the upstream's thread, until the closure throws.
    /// - Failure: the upstream's, or the thrown error, which cancels the upstream.
    @inlinable
    public func tryMap<Output>(
        _ transform: @escaping @Sendable (Value) throws(Failure) -> Output
    ) -> Signal<Output, Failure> {
        trying((), stage: "tryMap") { _, value throws(Failure) in .deliver(try transform(value)) }
    }
}

extension Signal where Failure == Never {
    /// Applies `tryMap(_:)` to a signal that cannot fail.
    ///
    /// - Failure: the thrown error, which cancels the upstream.
    @inlinable @_disfavoredOverload
    public func tryMap<Output, Thrown: Error>(
        _ transform: @escaping @Sendable (Value) throws(Thrown) -> Output
    ) -> Signal<Output, Thrown> {
        setFailureType(to: Thrown.self).tryMap(transform)
    }
}
