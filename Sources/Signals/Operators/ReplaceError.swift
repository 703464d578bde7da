extension Signal {
    /// Returns a signal that delivers a value in place of a failure, and then finishes.
    ///
    /// ```swift
    /// struct Offline: Error {}
    /// let token = Signal<Int, Offline>.fail(Offline()).replaceError(with: -1).sink { print($0) }  // -1
    /// ```
    ///
    /// - Delivery: as the upstream, and one more value if it fails, once it is requested.
    @inlinable
    public func replaceError(with value: Value) -> Signal<Value, Never> { `catch` { _ in .just(value) } }
}
