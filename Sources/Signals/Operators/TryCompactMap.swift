extension Signal {
    /// Returns a signal of the transformed values that are not nil, which fails with what the closure throws.
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
    /// - Delivery: at most one value for each value, on the same thread, up to the first error; one more is requested
    ///   for each dropped value.
    /// - Failure: the upstream's, or the thrown error; the upstream is then cancelled.
    @inlinable
    public func tryCompactMap<Output>(
        _ transform: @escaping @Sendable (Value) throws(Failure) -> Output?
    ) -> Signal<Output, Failure> {
        trying((), stage: "tryCompactMap") { _, value throws(Failure) in
            try transform(value).map { .deliver($0) } ?? .drop
        }
    }
}
