extension Signal {
    /// Returns a signal that cannot fail: a failure of the upstream stops the program, with a message.
    ///
    /// ```swift
    /// struct Broken: Error {}
    /// let certain: Signal<Int, Never> = Signal<Int, Broken>.just(1).assertNoFailure("a value cannot be broken")
    /// ```
    ///
    /// - Delivery: the same as the upstream's.
    /// - Failure: none; a failure of the upstream is a programming error.
    @inlinable
    public func assertNoFailure(_ reason: @autoclosure @escaping @Sendable () -> String = "") -> Signal<Value, Never> {
        lift { next in
            Sink(
                passingTo: next, onValue: next.onValue,
                onCompletion: { completion in
                    if case .failure(let failure) = completion {
                        preconditionFailure("The upstream of assertNoFailure failed: \(failure). \(reason())")
                    }
                    next.receive(completion: .finished)
                })
        }
    }
}
