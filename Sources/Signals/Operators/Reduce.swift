extension Signal {
    /// Returns a signal that combines all values into one, and delivers the result when the upstream finishes.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...4).reduce(0, +).sink { print($0) }  // 10
    /// ```
    ///
    /// - Delivery: one value when the upstream finishes, even if the upstream delivers no values; nothing if the
    ///   upstream fails.
    @inlinable @inline(__always)
    public func reduce<Output: Sendable>(
        _ initial: Output, _ combine: @escaping @Sendable (Output, Value) -> Output
    ) -> Signal<Output, Failure> {
        fold(initial, onValue: { $0.state = combine($0.state, $1) }, output: { $0 })
    }

    /// Returns a signal that accumulates all values in one result, and delivers the result when the upstream finishes.
    ///
    /// ```swift
    /// let words = Signal<String, Never>.sequence(["a", "b", "a"])
    /// let token = words.reduce(into: Set<String>()) { $0.insert($1) }.sink { print($0.count) }  // 2
    /// ```
    ///
    /// - Delivery: one value when the upstream finishes, even if the upstream delivers no values; nothing if the
    ///   upstream fails.
    @inlinable @inline(__always)
    public func reduce<Output: Sendable>(
        into initial: Output, _ combine: @escaping @Sendable (inout Output, Value) -> Void
    ) -> Signal<Output, Failure> {
        fold(initial, onValue: { combine(&$0.state, $1) }, output: { $0 })
    }

    /// Returns a signal that combines all values into one; the signal fails if the closure throws.
    ///
    /// ```swift
    /// struct Overflow: Error {}
    /// let sum = Signal<Int8, Overflow>.sequence([100, 20, 30]).tryReduce(Int8(0)) { sum, value throws(Overflow) in
    ///     let (result, isTooLarge) = sum.addingReportingOverflow(value)
    ///     if isTooLarge { throw Overflow() }
    ///     return result
    /// }
    /// let token = sum.sink(onValue: { print($0) }, onCompletion: { print($0) })  // failure(Overflow())
    /// ```
    ///
    /// - Delivery: one value when the upstream finishes, even if the upstream delivers no values; nothing if the
    ///   upstream fails or the closure throws.
    /// - Failure: the upstream's, or the thrown error, which cancels the upstream.
    @inlinable
    public func tryReduce<Output: Sendable>(
        _ initial: Output, _ combine: @escaping @Sendable (Output, Value) throws(Failure) -> Output
    ) -> Signal<Output, Failure> {
        fold(
            initial, stage: "tryReduce",
            onValue: { folding, value throws(Failure) in folding.state = try combine(folding.state, value) },
            output: { $0 })
    }

    /// Returns a signal that accumulates all values in one result; the signal fails if the closure throws.
    ///
    /// ```swift
    /// struct Repeated: Error {}
    /// let words = Signal<String, Repeated>.sequence(["a", "b", "a"])
    /// let set = words.tryReduce(into: Set<String>()) { set, word throws(Repeated) in
    ///     if !set.insert(word).inserted { throw Repeated() }
    /// }
    /// let token = set.sink(onValue: { print($0) }, onCompletion: { print($0) })  // failure(Repeated())
    /// ```
    ///
    /// - Delivery: one value when the upstream finishes, even if the upstream delivers no values; nothing if the
    ///   upstream fails or the closure throws.
    /// - Failure: the upstream's, or the thrown error, which cancels the upstream.
    @inlinable
    public func tryReduce<Output: Sendable>(
        into initial: Output, _ combine: @escaping @Sendable (inout Output, Value) throws(Failure) -> Void
    ) -> Signal<Output, Failure> {
        fold(
            initial, stage: "tryReduce",
            onValue: { folding, value throws(Failure) in try combine(&folding.state, value) },
            output: { $0 })
    }
}

extension Signal where Failure == Never {
    /// Applies `tryReduce(_:_:)` to a signal that cannot fail.
    ///
    /// - Failure: the thrown error, which cancels the upstream.
    @inlinable @_disfavoredOverload
    public func tryReduce<Output: Sendable, Thrown: Error>(
        _ initial: Output, _ combine: @escaping @Sendable (Output, Value) throws(Thrown) -> Output
    ) -> Signal<Output, Thrown> {
        setFailureType(to: Thrown.self).tryReduce(initial, combine)
    }

    /// Applies `tryReduce(into:_:)` to a signal that cannot fail.
    ///
    /// - Failure: the thrown error, which cancels the upstream.
    @inlinable @_disfavoredOverload
    public func tryReduce<Output: Sendable, Thrown: Error>(
        into initial: Output, _ combine: @escaping @Sendable (inout Output, Value) throws(Thrown) -> Void
    ) -> Signal<Output, Thrown> {
        setFailureType(to: Thrown.self).tryReduce(into: initial, combine)
    }
}
