extension Signal {
    /// Returns a signal of the upstream's values, each with the latest value of another signal.
    ///
    /// ```swift
    /// let rate = CurrentValue<Double, Never>(2)
    /// let amounts = Broadcast<Double, Never>()
    /// let token = amounts.signal.withLatest(from: rate.signal).sink { print($0 * $1) }
    /// amounts.send(10)  // 20.0
    /// ```
    ///
    /// - Delivery: one tuple for each value of the upstream that comes when the other signal has delivered; earlier
    ///   ones are dropped. The upstream runs ahead by at most 16 values. It finishes with the upstream, or when the
    ///   other finishes without a value.
    /// - Failure: the first one, of either; the other is cancelled.
    @inlinable
    public func withLatest<Other: Sendable>(from other: Signal<Other, Failure>) -> Signal<(Value, Other), Failure> {
        Signal<(Value, Other), Failure>(trusted: { next in
            let weave = Weave(next)
            let driver = Weave<(Value, Other), Failure>.Slot<Value>(queueBound: 16)
            let latest = Weave<(Value, Other), Failure>.Slot<Other>(queueBound: nil)
            weave.start(
                [driver, latest],
                make: {
                    guard let value = driver.take(), let other = latest.take() else { return nil }
                    return (value, other)
                },
                // The other first, so that its first value is there when the upstream begins.
                attach: [{ weave.attach(other, to: latest) }, { weave.attach(self, to: driver) }])
        })
    }
}
