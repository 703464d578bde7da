/// One run of async work that delivers values.
///
/// Its task starts with the first request, and can wait for demand.
final class TaskRun<Value: Sendable, Failure: Error>: Engine, @unchecked Sendable {
    typealias Work = @Sendable (TaskRun) async throws(Failure) -> Void

    enum Event {
        case requested
        case value(Value)
        case end(Completion<Failure>)
        case cancel
    }

    // Safe because `sink` and `work` are confined to the inbox, and the rest is constant or thread-safe.
    private var sink: Sink<Value, Failure>?
    private var work: Work?
    let inbox = Inbox<Event>()
    private let demand = DemandCounter()
    private let task = Attachment()
    private let wake = Wake()
    private let priority: TaskPriority?

    private init(_ sink: Sink<Value, Failure>, _ priority: TaskPriority?, _ work: @escaping Work) {
        self.sink = sink
        self.priority = priority
        self.work = work
    }

    /// Gives the sink the upstream of a new run.
    static func attach(
        _ sink: Sink<Value, Failure>, priority: TaskPriority? = nil, _ work: @escaping Work
    ) {
        let run = TaskRun(sink, priority, work)
        sink.receive(upstream: Upstream(request: { run.request($0) }, cancel: { run.cancel() }))
    }

    /// Waits until a value is requested; returns false if the run has ended.
    func isRequested() async -> Bool {
        while demand.current == .none {
            if demand.isClosed { return false }
            await wake.wait()
        }
        return true
    }

    /// Delivers a requested value on the task's thread, or leaves it for a thread that is delivering.
    ///
    /// The value's demand is subtracted now, because otherwise `isRequested()` would count it again until another
    /// thread delivers the value.
    func deliver(_ value: Value) {
        if demand.takeOne() { inbox.submit(.value(value), to: self) }
    }

    private func request(_ requested: Demand) {
        let requested = requested.needed
        if requested > .none && demand.add(requested) == Demand.none { control(.requested) }
    }

    private func cancel() {
        demand.close()
        task.cancel()
        wake.wake()
        control(.cancel)
    }

    func settle() {}

    func process(_ event: Event) {
        switch event {
        case .requested:
            if let work = work.take() { start(work) } else { wake.wake() }
        case .value(let value):
            guard !demand.isClosed, let more = sink?.receive(value).needed, more > .none else { return }
            // A value may be delivered on another thread, when the task already waits for demand.
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
                inbox.submit(.end(.finished), to: self)
            } catch {
                inbox.submit(.end(.failure(error)), to: self)
            }
        }
        task.receive(upstream: Upstream(request: { _ in }, cancel: { started.cancel() }))
    }
}
