extension Signal where Failure == Never {
    /// Returns the same signal with another failure type, so that it can be combined with signals that can fail.
    ///
    /// ```swift
    /// struct Broken: Error {}
    /// let signal: Signal<Int, Broken> = Signal<Int, Never>.just(1).setFailureType(to: Broken.self)
    /// ```
    ///
    /// - Delivery: the same as the upstream's.
    @inlinable
    public func setFailureType<Other: Error>(to failure: Other.Type) -> Signal<Value, Other> {
        Signal<Value, Other>(
            trusted: { [attachment] next in
                attachment(
                    Sink(
                        passingTo: next, onValue: next.onValue,
                        onCompletion: { completion in
                            if case .finished = completion { next.receive(completion: .finished) }
                        }))
            }, single: single)
    }
}
