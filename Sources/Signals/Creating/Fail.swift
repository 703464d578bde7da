extension Signal {
    /// Returns a signal that fails at once, without a value.
    ///
    /// ```swift
    /// struct Broken: Error {}
    /// let token = Signal<Int, Broken>.fail(Broken()).sink(
    ///     onValue: { print($0) }, onCompletion: { print($0) })  // failure(Broken())
    /// ```
    ///
    /// - Delivery: none.
    /// - Failure: the given error, during attach and without demand.
    @inlinable
    public static func fail(_ failure: Failure) -> Signal { ending(.failure(failure)) }
}
