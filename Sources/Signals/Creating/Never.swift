extension Signal {
    /// Returns a signal that delivers nothing and never ends.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.never().sink { print($0) }  // nothing, until the token is released
    /// ```
    ///
    /// - Delivery: none.
    @inlinable
    public static func never() -> Signal {
        Signal(trusted: { $0.receive(upstream: Upstream(request: { _ in }, cancel: {})) })
    }
}
