extension Signal {
    /// Returns the same signal with its failure transformed.
    ///
    /// ```swift
    /// struct Low: Error {}
    /// struct High: Error { let cause: Low }
    /// let signal = Signal<Int, Low>.fail(Low()).mapError { High(cause: $0) }
    /// ```
    ///
    /// - Delivery: the same as the upstream's.
    /// - Failure: the upstream's failure, transformed.
    @inlinable
    public func mapError<Other: Error>(_ transform: @escaping @Sendable (Failure) -> Other) -> Signal<Value, Other> {
        lift { next in
            Sink(
                passingTo: next, onValue: next.onValue,
                onCompletion: { next.receive(completion: $0.mapError(transform)) })
        }
    }
}
