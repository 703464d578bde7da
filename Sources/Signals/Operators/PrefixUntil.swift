extension Signal {
    /// Returns a signal of the values up to the moment another signal delivers; it then cancels both and finishes.
    ///
    /// ```swift
    /// let stop = Broadcast<Void, Never>(), numbers = Broadcast<Int, Never>()
    /// let token = numbers.signal.prefix(until: stop.signal).sink { print($0) }
    /// numbers.send(1)  // 1
    /// stop.send()
    /// numbers.send(2)  // nothing
    /// ```
    ///
    /// - Delivery: as the upstream, until the other signal's first value. If the other finishes without a value,
    ///   nothing changes.
    /// - Failure: the first one, of either; the other is cancelled.
    public func prefix<Other: Sendable>(until other: Signal<Other, Failure>) -> Signal {
        gated(by: other, opening: false)
    }
}
