extension Signal {
    /// Returns a signal of what an async closure returns; a task runs it for each sink.
    ///
    /// ```swift
    /// let answer = Signal<Int, Never>.task { 42 }
    /// let token = answer.sink { print($0) }  // 42
    /// ```
    ///
    /// - Delivery: one value, on the concurrent pool, once the closure has returned and the value was asked for. The
    ///   task starts when it is asked for and is cancelled with the run.
    /// - Failure: what the closure throws.
    public static func task(
        priority: TaskPriority? = nil, _ work: @escaping @Sendable () async throws(Failure) -> Value
    ) -> Signal {
        Signal(trusted: { sink in
            TaskRun.attach(sink, priority: priority) { (run: TaskRun<Value, Failure>) async throws(Failure) in
                run.deliver(try await work())
            }
        })
    }
}
