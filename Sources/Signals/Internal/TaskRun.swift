/// One run of async work that delivers values: a task that begins with the first request, and that waits for demand.
final class TaskRun<Value: Sendable, Failure: Error>: @unchecked Sendable {
    typealias Work = @Sendable (TaskRun) async throws(Failure) -> Void

    private enum Event {
        case asked
        case value(Value)
        case end(Completion<Failure>)
        case cancel
    }

    // Safe because `sink` and `work` are confined to the inbox, and the rest is constant, atomic or its own guard.
    private var sink: Sink<Value, Failure>?
    private var work: Work?
    private let inbox = Inbox<Event>()
    private let demand = DemandCounter()
    private let task = Attachment()
    private let wake = Wake()
    private let priority: TaskPriority?

    private init(_ sink: Sink<Value, Failure>, _ priority: TaskPriority?, _ work: @escaping Work) {
        self.sink = sink
        self.priority = priority
        self.work = work
    }

    /// Hands the sink the upstream of a run of its own.
    static func attach(
        _ sink: Sink<Value, Failure>, priority: TaskPriority? = nil, _ work: @escaping Work
    ) {
        let run = TaskRun(sink, priority, work)
        sink.receive(upstream: Upstream(request: { run.request($0) }, cancel: { run.cancel() }))
    }

    /// Waits until a value is asked for; false when the run is over.
    func isAsked() async -> Bool {
        while demand.current == .none {
            if demand.isClosed { return false }
            await wake.wait()
        }
        return true
    }

    /// Delivers a value that was asked for, on the thread of the task.
    ///
    /// Its demand is taken now, not when another worker comes to deliver it: until then it would be found again.
    func deliver(_ value: Value) {
        if demand.takeOne() { submit(.value(value)) }
    }

    private func request(_ asked: Demand) {
        if demand.add(asked) == Demand.none { submit(.asked) }
    }

    private func cancel() {
        demand.close()
        task.cancel()
        wake.wake()
        submit(.cancel)
    }

    private func submit(_ event: Event) { inbox.submit(event) { process($0) } }

    private func process(_ event: Event) {
        switch event {
        case .asked:
            if let work = work.take() { start(work) } else { wake.wake() }
        case .value(let value):
            guard !demand.isClosed, let more = sink?.receive(value), more > .none else { return }
            // Another worker may deliver while the task waits already.
            if demand.add(more) == Demand.none { wake.wake() }
        case .end(let completion):
            guard demand.close() else { return }
            _ = task.end()
            sink.take()?.receive(completion: completion)
        case .cancel:
            sink = nil
            work = nil
        }
    }

    private func start(_ work: @escaping Work) {
        let started = Task(priority: priority) {
            do throws(Failure) {
                try await work(self)
                submit(.end(.finished))
            } catch {
                submit(.end(.failure(error)))
            }
        }
        task.receive(upstream: Upstream(request: { _ in }, cancel: { started.cancel() }))
    }
}
