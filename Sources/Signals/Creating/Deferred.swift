extension Signal {
    /// Returns a signal that is made again for each sink.
    ///
    /// ```swift
    /// let clock = Signal<ContinuousClock.Instant, Never>.deferred { .just(.now) }
    /// ```
    ///
    /// - Delivery: as the signal that `make` returns.
    @inlinable
    public static func deferred(_ make: @escaping @Sendable () -> Signal) -> Signal {
        Signal(trusted: { sink in make().run(into: sink) })
    }
}
