extension Signal {
    /// Makes a signal of an asynchronous sequence, which is iterated anew for each sink.
    ///
    /// ```swift
    /// let stream = AsyncStream { (continuation: AsyncStream<Int>.Continuation) in
    ///     continuation.yield(1)
    ///     continuation.finish()
    /// }
    /// let token = Signal(stream).sink { print($0) }  // 1
    /// ```
    ///
    /// - Delivery: on the concurrent pool, one element for each value that was asked for; the sequence is asked for
    ///   the next only then. The iterating task starts with the first request and is cancelled with the run.
    /// - Failure: what the sequence throws.
    public init<Elements: AsyncSequence & Sendable>(_ elements: Elements)
    where Elements.Element == Value, Elements.Failure == Failure {
        self.init(trusted: { sink in
            let run = AsyncPull(sink) { (run: AsyncPull<Value, Failure>) async throws(Failure) in
                var iterator = elements.makeAsyncIterator()
                while await run.isAsked() {
                    guard let element = try await iterator.next(isolation: nil) else { return }
                    run.deliver(element)
                }
            }
            sink.receive(upstream: Upstream(request: { run.request($0) }, cancel: { run.cancel() }))
        })
    }
}

/// One run of an asynchronous sequence: a task that waits for demand before it asks for the next element.
///
/// The continuation is an unsafe one, which is safe because it leaves the lock exactly once, to be resumed; it
/// only wakes the task.
private final class AsyncPull<Value: Sendable, Failure: Error>: Sendable {
    typealias Loop = @Sendable (AsyncPull) async throws(Failure) -> Void

    private struct State {
        var sink: Sink<Value, Failure>?
        var loop: Loop?
        var task: Task<Void, Never>?
        var waiter: UnsafeContinuation<Void, Never>?
    }

    private let state: Lock<State>
    private let demand = DemandCounter()

    init(_ sink: Sink<Value, Failure>, _ loop: @escaping Loop) { state = Lock(State(sink: sink, loop: loop)) }

    func request(_ asked: Demand) {
        guard demand.add(asked) != nil else { return }
        let (loop, waiter) = state.withLock { ($0.loop.take(), $0.waiter.take()) }
        waiter?.resume()
        guard let loop else { return }
        let task = Task { await self.iterate(loop) }
        let isOver = state.withLock { state in
            if state.sink != nil { state.task = task }
            return state.sink == nil
        }
        if isOver { task.cancel() }
    }

    private func iterate(_ loop: Loop) async {
        do throws(Failure) {
            try await loop(self)
            end(.finished)
        } catch {
            end(.failure(error))
        }
    }

    /// Waits until there is demand; false when the run is over.
    func isAsked() async -> Bool {
        while true {
            if demand.current > .none { return true }
            if demand.isClosed { return false }
            await withUnsafeContinuation { continuation in
                let isDue = state.withLock { state in
                    let isDue = state.sink == nil || demand.current > .none
                    if !isDue { state.waiter = continuation }
                    return isDue
                }
                if isDue { continuation.resume() }
            }
        }
    }

    func deliver(_ value: Value) {
        guard demand.takeOne(), let sink = state.withLock({ $0.sink }) else { return }
        let more = sink.receive(value)
        if more > .none { demand.add(more) }
    }

    private func end(_ completion: Completion<Failure>) {
        let sink = state.withLock { state in
            state.task = nil
            return state.sink.take()
        }
        guard demand.close() else { return }
        sink?.receive(completion: completion)
    }

    func cancel() {
        demand.close()
        let (released, task, waiter) = state.withLock { state in
            let released = (state.sink.take(), state.loop.take())
            return (released, state.task.take(), state.waiter.take())
        }
        withExtendedLifetime(released) {
            task?.cancel()
            waiter?.resume()
        }
    }
}
