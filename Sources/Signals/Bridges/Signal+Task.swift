extension Signal {
    /// Returns a signal of an async closure's result; a task runs the closure for each sink.
    ///
    /// ```swift
    /// let answer = Signal<Int, Never>.task { 42 }
    /// let token = answer.sink { print($0) }  // 42
    /// ```
    ///
    /// Inside `concatMap`, `task` applies an async closure to the values, one value after another:
    ///
    /// ```swift
    /// @Sendable func price(of title: String) async -> Int { title.count }
    /// let token = Signal<String, Never>.sequence(["Heat", "Fargo"])
    ///     .concatMap { title in .task { await price(of: title) } }
    ///     .sink { print($0) }  // 4 5
    /// ```
    ///
    /// - Delivery: one value, on Swift's global concurrent executor, once the value was requested and the closure has
    ///   returned. The task starts with the request and is cancelled with the run.
    /// - Failure: the error that the closure throws.
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
