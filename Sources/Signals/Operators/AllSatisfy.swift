extension Signal {
    /// Returns a signal that delivers whether all values satisfy a predicate, and stops at the first mismatch.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...3).allSatisfy { $0 < 9 }.sink { print($0) }  // true
    /// ```
    ///
    /// - Delivery: false as soon as a value does not satisfy the predicate, or true if the upstream finishes first. A
    ///   mismatch cancels the upstream.
    @inlinable
    public func allSatisfy(_ isMatch: @escaping @Sendable (Value) -> Bool) -> Signal<Bool, Failure> {
        fold(
            true,
            onValue: { folding, value in
                if !isMatch(value) { folding.finish(with: false, cancelling: true) }
            },
            output: { $0 })
    }

    /// Returns a signal that delivers whether all values satisfy a predicate, or fails with the error that the
    /// predicate throws.
    ///
    /// ```swift
    /// struct Unknown: Error {}
    /// let areLow = Signal<Int, Unknown>.sequence([1, 5, -1]).tryAllSatisfy { value throws(Unknown) in
    ///     if value < 0 { throw Unknown() }
    ///     return value < 3
    /// }
    /// let token = areLow.sink(onValue: { print($0) }, onCompletion: { print($0) })  // false finished
    /// ```
    ///
    /// - Delivery: false as soon as a value does not satisfy the predicate, or true if the upstream finishes first. A
    ///   mismatch cancels the upstream.
    /// - Failure: the upstream's, or the thrown error, which cancels the upstream.
    @inlinable @inline(__always)
    public func tryAllSatisfy(
        _ isMatch: @escaping @Sendable (Value) throws(Failure) -> Bool
    ) -> Signal<Bool, Failure> {
        trying((), stage: "tryAllSatisfy") { _, value throws(Failure) in .deliver(try isMatch(value)) }
            .allSatisfy { $0 }
    }
}

extension Signal where Failure == Never {
    /// Applies `tryAllSatisfy(_:)` to a signal that cannot fail.
    ///
    /// - Failure: the thrown error, which cancels the upstream.
    @inlinable @_disfavoredOverload
    public func tryAllSatisfy<Thrown: Error>(
        _ isMatch: @escaping @Sendable (Value) throws(Thrown) -> Bool
    ) -> Signal<Bool, Thrown> {
        setFailureType(to: Thrown.self).tryAllSatisfy(isMatch)
    }
}
