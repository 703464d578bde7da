extension Signal {
    /// Creates a signal from an asynchronous sequence; each sink makes a new iterator of the sequence.
    ///
    /// ```swift
    /// let stream = AsyncStream { (continuation: AsyncStream<Int>.Continuation) in
    ///     continuation.yield(1)
    ///     continuation.finish()
    /// }
    /// let token = Signal(stream).sink { print($0) }  // 1
    /// ```
    ///
    /// - Delivery: on Swift's global concurrent executor, one element for each requested value; the iterator advances
    ///   only on demand. The iterating task starts with the first request and is cancelled with the run.
    /// - Failure: the error that the sequence throws.
    public init<Elements: AsyncSequence & Sendable>(_ elements: Elements)
    where Elements.Element == Value, Elements.Failure == Failure {
        self.init(trusted: { sink in
            TaskRun.attach(sink) { (run: TaskRun<Value, Failure>) async throws(Failure) in
                var iterator = elements.makeAsyncIterator()
                while await run.isRequested() {
                    guard let element = try await iterator.next(isolation: nil) else { return }
                    run.deliver(element)
                }
            }
        })
    }
}
