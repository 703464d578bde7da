extension Signal {
    /// Returns a signal that makes a new signal for each sink, and attaches the sink to it.
    ///
    /// ```swift
    /// let clock = Signal<ContinuousClock.Instant, Never>.deferred { .just(.now) }
    /// ```
    ///
    /// - Delivery: the same as for the signal that `make` returns.
    @inlinable
    public static func deferred(_ make: @escaping @Sendable () -> Signal) -> Signal {
        Signal(trusted: { sink in make().run(into: sink) })
    }
}
