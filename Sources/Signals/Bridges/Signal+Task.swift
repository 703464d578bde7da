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
            let run = TaskRun(sink, priority: priority, work)
            sink.receive(upstream: Upstream(request: { _ in run.start() }, cancel: { run.cancel() }))
        })
    }
}

/// One run of an async closure: started once, ended once.
private final class TaskRun<Value: Sendable, Failure: Error>: Sendable {
    private struct State {
        var sink: Sink<Value, Failure>?
        var work: (@Sendable () async throws(Failure) -> Value)?
        var task: Task<Void, Never>?
    }

    private let state: Lock<State>
    private let priority: TaskPriority?

    init(
        _ sink: Sink<Value, Failure>, priority: TaskPriority?,
        _ work: @escaping @Sendable () async throws(Failure) -> Value
    ) {
        state = Lock(State(sink: sink, work: work))
        self.priority = priority
    }

    func start() {
        guard let work = state.withLock({ $0.work.take() }) else { return }
        let task = Task(priority: priority) { await self.run(work) }
        let isOver = state.withLock { state in
            if state.sink != nil { state.task = task }
            return state.sink == nil
        }
        if isOver { task.cancel() }
    }

    private func run(_ work: @Sendable () async throws(Failure) -> Value) async {
        let result: Result<Value, Failure>
        do throws(Failure) {
            result = .success(try await work())
        } catch {
            result = .failure(error)
        }
        guard let sink = state.withLock({ $0.sink }) else { return }
        switch result {
        case .success(let value):
            _ = sink.receive(value)
            end(.finished)
        case .failure(let failure): end(.failure(failure))
        }
    }

    private func end(_ completion: Completion<Failure>) {
        let sink = state.withLock { state in
            state.task = nil
            return state.sink.take()
        }
        sink?.receive(completion: completion)
    }

    func cancel() {
        let released = state.withLock { state in
            let all = (state.sink.take(), state.work.take(), state.task.take())
            return all
        }
        released.2?.cancel()
    }
}
