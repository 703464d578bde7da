extension Signal {
    /// Returns a signal that delivers whether any value satisfies a predicate.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...).contains(where: { $0 > 3 }).sink { print($0) }  // true
    /// ```
    ///
    /// - Delivery: true as soon as a value satisfies the predicate, or false if the upstream finishes first. A match
    ///   cancels the upstream.
    @inlinable
    public func contains(where isMatch: @escaping @Sendable (Value) -> Bool) -> Signal<Bool, Failure> {
        fold(
            false,
            onValue: { folding, value in
                if isMatch(value) { folding.finish(with: true, cancelling: true) }
            },
            output: { $0 })
    }

    /// Returns a signal that delivers whether any value satisfies a predicate; the signal fails if the predicate
    /// throws.
    ///
    /// ```swift
    /// struct Unknown: Error {}
    /// let isHigh = Signal<Int, Unknown>.sequence([1, -1, 5]).tryContains(where: { value throws(Unknown) in
    ///     if value < 0 { throw Unknown() }
    ///     return value > 3
    /// })
    /// let token = isHigh.sink(onValue: { print($0) }, onCompletion: { print($0) })  // failure(Unknown())
    /// ```
    ///
    /// - Delivery: true as soon as a value satisfies the predicate, or false if the upstream finishes first. A match
    ///   cancels the upstream.
    /// - Failure: the upstream's, or the thrown error, which cancels the upstream.
    @inlinable @inline(__always)
    public func tryContains(
        where isMatch: @escaping @Sendable (Value) throws(Failure) -> Bool
    ) -> Signal<Bool, Failure> {
        trying((), stage: "tryContains") { _, value throws(Failure) in .deliver(try isMatch(value)) }.contains(true)
    }
}

extension Signal where Value: Equatable {
    /// Returns a signal that delivers whether any value equals `element`.
    ///
    /// - Delivery: true as soon as a value equals `element`, or false if the upstream finishes first. A match cancels
    ///   the upstream.
    @inlinable
    public func contains(_ element: Value) -> Signal<Bool, Failure> { contains(where: { $0 == element }) }
}

extension Signal where Failure == Never {
    /// Applies `tryContains(where:)` to a signal that cannot fail.
    ///
    /// - Failure: the thrown error, which cancels the upstream.
    @inlinable @_disfavoredOverload
    public func tryContains<Thrown: Error>(
        where isMatch: @escaping @Sendable (Value) throws(Thrown) -> Bool
    ) -> Signal<Bool, Thrown> {
        setFailureType(to: Thrown.self).tryContains(where: isMatch)
    }
}
