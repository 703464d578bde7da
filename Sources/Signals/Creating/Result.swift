extension Signal {
    /// Returns a signal of a result: its value, or its failure immediately.
    ///
    /// ```swift
    /// struct NoNumber: Error {}
    /// let parsed: Result<Int, NoNumber> = Int("12").map { .success($0) } ?? .failure(NoNumber())
    /// let token = Signal.result(parsed).sink(onValue: { print($0) }, onCompletion: { print($0) })  // 12 finished
    /// ```
    ///
    /// - Delivery: the value, on the requesting thread.
    /// - Failure: the result's, during attach; it needs no demand.
    @inlinable
    public static func result(_ result: Result<Value, Failure>) -> Signal {
        switch result {
        case .success(let value): .just(value)
        case .failure(let failure): .fail(failure)
        }
    }
}
