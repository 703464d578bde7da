extension Signal {
    /// Returns a signal that replaces each nil with a value.
    ///
    /// ```swift
    /// let token = Signal<Int?, Never>.sequence([1, nil]).replaceNil(with: 0).sink { print($0) }  // 1 0
    /// ```
    ///
    /// - Delivery: one value for each upstream value, on the upstream's thread.
    @inlinable
    public func replaceNil<Wrapped: Sendable>(with replacement: Wrapped) -> Signal<Wrapped, Failure>
    where Value == Wrapped? {
        map { $0 ?? replacement }
    }
}
