extension Signal {
    /// Returns a signal that delivers a result's value and finishes, or fails with its error.
    ///
    /// ```swift
    /// struct NoNumber: Error {}
    /// let parsed: Result<Int, NoNumber> = Int("12").map { .success($0) } ?? .failure(NoNumber())
    /// let token = Signal.result(parsed).sink(onValue: { print($0) }, onCompletion: { print($0) })  // 12 finished
    /// ```
    ///
    /// - Delivery: the value, on the requesting thread.
    /// - Failure: the result's, during attach and without demand.
    @inlinable
    public static func result(_ result: Result<Value, Failure>) -> Signal {
        switch result {
        case .success(let value): .just(value)
        case .failure(let failure): .fail(failure)
        }
    }
}
