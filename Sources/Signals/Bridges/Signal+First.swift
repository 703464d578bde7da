extension Signal {
    /// Waits for the first value, and cancels the run then.
    ///
    /// ```swift
    /// let first = await Signal<Int, Never>.sequence(1...3).first()
    /// print(first as Any)  // Optional(1)
    /// ```
    ///
    /// In a function, that is: at the top level of a `main.swift` the compiler looks for what does not wait, finds the
    /// operator `first()`, and warns that nothing is awaited. There the type decides: `let first: Int? = …`.
    ///
    /// - Delivery: the first value; nil when the signal finishes without one, or when the task is cancelled, which
    ///   cancels the run.
    /// - Failure: the signal's, when it comes before a value.
    public func first() async throws(Failure) -> Value? {
        var iterator = prefix(1).values(prefetch: 1).makeAsyncIterator()
        return try await iterator.next(isolation: nil)
    }
}
