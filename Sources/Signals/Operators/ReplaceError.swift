extension Signal {
    /// Returns a signal that delivers a value in place of a failure, and then finishes.
    ///
    /// ```swift
    /// struct Offline: Error {}
    /// let token = Signal<Int, Offline>.fail(Offline()).replaceError(with: -1).sink { print($0) }  // -1
    /// ```
    ///
    /// - Delivery: the upstream's values and, if the upstream fails, the replacement value when the sink requests it.
    @inlinable
    public func replaceError(with value: Value) -> Signal<Value, Never> { `catch` { _ in .just(value) } }
}
