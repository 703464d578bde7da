extension Signal {
    /// Runs the signal and calls closures on the actor of the caller, so that they may touch its state.
    ///
    /// ```swift
    /// @MainActor
    /// final class Counter {
    ///     var count = 0
    ///     var token: SignalToken?
    ///     func follow(_ numbers: Signal<Int, Never>) {
    ///         token = numbers.isolatedSink { [weak self] in self?.count = $0 }
    ///     }
    /// }
    /// ```
    ///
    /// - Delivery: on the caller's actor, in order, never before this returns. The signal is asked for 16 values at a
    ///   time.
    /// - Failure: handed to `onCompletion`.
    /// - Returns: a token; the run is cancelled when it is released.
    public func isolatedSink(
        isolation: isolated (any Actor)? = #isolation,
        onValue: @escaping (Value) -> Void,
        onCompletion: @escaping (Completion<Failure>) -> Void = { _ in }
    ) -> SignalToken {
        let values = values
        let task = Task {
            // Capturing the actor makes the task run on it.
            _ = isolation
            var iterator = values.makeAsyncIterator()
            do throws(Failure) {
                while let value = try await iterator.next(isolation: isolation) {
                    if Task.isCancelled { return }
                    onValue(value)
                }
                if !Task.isCancelled { onCompletion(.finished) }
            } catch {
                if !Task.isCancelled { onCompletion(.failure(error)) }
            }
        }
        return SignalToken(onCancel: { task.cancel() })
    }
}
