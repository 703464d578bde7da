extension Signal {
    /// Returns a signal of the transformed values that are not nil.
    ///
    /// ```swift
    /// let token = Signal<String, Never>.sequence(["1", "x", "3"]).compactMap { Int($0) }.sink { print($0) }  // 1 3
    /// ```
    ///
    /// - Delivery: at most one value for each upstream value, on the upstream's thread. The operator requests another
    ///   value for each value that it drops.
    @inlinable
    public func compactMap<Output>(_ transform: @escaping @Sendable (Value) -> Output?) -> Signal<Output, Failure> {
        lift { next in
            Sink(
                passingTo: next,
                onValue: { value in
                    guard let output = transform(value) else { return .max(1) }
                    return next.receive(output)
                })
        }
    }

    /// Returns a signal of the transformed values that are not nil; the signal fails if the closure throws.
    ///
    /// ```swift
    /// struct Unknown: Error {}
    /// let numbers = Signal<String, Unknown>.sequence(["1", "", "3", "x"]).tryCompactMap { text throws(Unknown) in
    ///     if text.isEmpty { return Int?.none }
    ///     guard let number = Int(text) else { throw Unknown() }
    ///     return number
    /// }
    /// let token = numbers.sink(onValue: { print($0) }, onCompletion: { print($0) })  // 1 3 failure(Unknown())
    /// ```
    ///
    /// - Delivery: at most one value for each upstream value, on the upstream's thread, until the closure throws. The
    ///   operator requests another value for each value that it drops.
    /// - Failure: the upstream's, or the thrown error, which cancels the upstream.
    @inlinable
    public func tryCompactMap<Output>(
        _ transform: @escaping @Sendable (Value) throws(Failure) -> Output?
    ) -> Signal<Output, Failure> {
        trying((), stage: "tryCompactMap") { _, value throws(Failure) in
            try transform(value).map { .deliver($0) } ?? .drop
        }
    }
}

extension Signal where Failure == Never {
    /// Applies `tryCompactMap(_:)` to a signal that cannot fail.
    ///
    /// - Failure: the thrown error, which cancels the upstream.
    @inlinable @_disfavoredOverload
    public func tryCompactMap<Output, Thrown: Error>(
        _ transform: @escaping @Sendable (Value) throws(Thrown) -> Output?
    ) -> Signal<Output, Thrown> {
        setFailureType(to: Thrown.self).tryCompactMap(transform)
    }
}
