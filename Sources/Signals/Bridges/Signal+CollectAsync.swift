extension Signal {
    /// Waits for the end and returns all values.
    ///
    /// ```swift
    /// let all: [Int] = await Signal<Int, Never>.sequence(1...3).collect()
    /// print(all)  // [1, 2, 3]
    /// ```
    ///
    /// - Delivery: all values once the signal has finished; those that came so far when the task is cancelled, which
    ///   cancels the run.
    /// - Failure: the signal's.
    public func collect() async throws(Failure) -> [Value] {
        let gathered: Signal<[Value], Failure> = collect()
        return try await gathered.first() ?? []
    }
}
