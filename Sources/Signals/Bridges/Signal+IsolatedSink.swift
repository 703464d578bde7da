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
    /// - Delivery: on the caller's actor, in order, never before this returns. The signal is attached before this
    ///   returns, and asked for 16 values at a time.
    /// - Failure: handed to `onCompletion`.
    /// - Returns: a token; the run is cancelled when it is released.
    public func isolatedSink(
        isolation: isolated (any Actor)? = #isolation,
        onValue: @escaping (Value) -> Void,
        onCompletion: @escaping (Completion<Failure>) -> Void = { _ in }
    ) -> SignalToken {
        let sink = LoopSink(self, prefetch: 16)
        // At once, not when the actor comes to it: a value that is sent right after this returns must not be missed.
        sink.begin()
        let task = Task {
            // Capturing the actor makes the task run on it.
            _ = isolation
            var iterator = SignalValues<Value, Failure>.AsyncIterator(sink)
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
        return SignalToken(onCancel: {
            // The task first: it must not take the end of its loop for the end of the signal.
            task.cancel()
            sink.cancel()
        })
    }
}
