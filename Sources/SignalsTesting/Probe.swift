public import Signals

/// A source that a test controls, and that records what its sinks do.
///
/// ```swift
/// let probe = Probe<Int, Never>()
/// let recorder = probe.signal.map { $0 * 10 }.record(demand: .max(1))
/// probe.send(1)
/// probe.send(2)  // refused: it was not requested
/// print(recorder.values, probe.history == [.attached, .requested(.max(1))])  // [10] true
/// ```
///
/// A lawful probe refuses to send what the contract forbids: a value that was not requested, or anything after the end
/// or a cancel. A faulty probe sends whatever the test wants. It shows how a stage handles a source that breaks the
/// contract; see `signal`.
///
/// - Delivery: on the sending thread, to the sink that attached last, or to the sink of the specified run.
public final class Probe<Value: Sendable, Failure: Error>: Sendable {
    /// Whether the probe keeps the contract.
    public enum Conduct: Sendable {
        /// The probe refuses to send what the contract forbids.
        case lawful
        /// The probe sends whatever the test wants, and keeps its sinks even after an end or a cancel.
        case faulty
    }

    /// An action of a sink that the probe records.
    public enum Event: Sendable, Hashable {
        /// A sink attached.
        case attached
        /// A sink requested values.
        case requested(Demand)
        /// A sink returned demand from the delivery of a value.
        case answered(Demand)
        /// A sink cancelled.
        case cancelled
    }

    private struct Run {
        var sink: Sink<Value, Failure>?
        var history: [Event] = [.attached]
        var requested = Demand.none
        var sent = 0
        var isOver = false

        var isUnrequested: Bool { requested.limit.map { sent >= $0 } ?? false }
    }

    private let state = Lock<[Run]>([])
    private let conduct: Conduct
    private let grips = LiveCount()

    private let upstreamHoldsSink: Bool

    /// Creates a probe.
    public convenience init(_ conduct: Conduct = .lawful) { self.init(conduct, upstreamHoldsSink: false) }

    /// Creates a probe.
    ///
    /// If `upstreamHoldsSink` is true, each upstream references its sink, like the upstreams of most sources. Retaining
    /// such an upstream after the run then retains the whole run.
    package init(_ conduct: Conduct, upstreamHoldsSink: Bool) {
        self.conduct = conduct
        self.upstreamHoldsSink = upstreamHoldsSink
    }

    /// The signal of the values that the test sends.
    ///
    /// Its fence (see `Signal.init(_:)`) enforces the contract, so a faulty probe shows which events the fence drops.
    public var signal: Signal<Value, Failure> { Signal { self.attach($0) } }

    /// The same signal without the fence, for stages that must withstand a faulty source by themselves.
    package var rawSignal: Signal<Value, Failure> { Signal(trusted: { self.attach($0) }) }

    /// The number of sinks that have attached.
    public var attachCount: Int { state.withLock { $0.count } }

    /// The number of sinks that are attached and have neither ended nor cancelled.
    public var liveCount: Int { state.withLock { $0.count { !$0.isOver } } }

    /// The number of delivered upstreams that are still retained.
    public var heldUpstreams: Int { grips.current }

    /// The events of all sinks: first all events of the first sink, then all events of the second, and so on.
    public var history: [Event] { state.withLock { $0.flatMap(\.history) } }

    /// Returns the events of one sink; `run` is the number of the sink, counted from 0 in the order of attaching.
    public func history(ofRun run: Int) -> [Event] {
        state.withLock { $0.indices.contains(run) ? $0[run].history : [] }
    }

    /// Returns the demand of the latest sink, or of the sink of `run`, for values that were not sent yet.
    public func outstanding(run: Int? = nil) -> Demand {
        state.withLock { runs in
            guard let run = run ?? runs.indices.last, runs.indices.contains(run) else { return .none }
            guard let limit = runs[run].requested.limit else { return .unlimited }
            return .max(max(0, limit - runs[run].sent))
        }
    }

    /// Sends a value to the latest sink, or to the sink of `run`; returns whether the value was sent.
    @discardableResult
    public func send(_ value: Value, toRun run: Int? = nil) -> Bool {
        guard let (sink, index) = take(run, for: { $0.isUnrequested ? nil : $0.sink }, { $0.sent += 1 }) else {
            return false
        }
        let more = sink.receive(value)
        if more > .none { note(.answered(more), of: index) }
        return true
    }

    /// Finishes the latest sink, or the sink of `run`; returns whether the finish was sent.
    @discardableResult
    public func finish(run: Int? = nil) -> Bool { end(.finished, run) }

    /// Fails the latest sink, or the sink of `run`; returns whether the failure was sent.
    @discardableResult
    public func fail(_ failure: Failure, run: Int? = nil) -> Bool { end(.failure(failure), run) }

    /// Breaks the contract: delivers a second upstream to the latest sink.
    ///
    /// Returns how often the sink cancelled that upstream.
    public func sendSecondUpstream() -> Int {
        let cancels = LiveCount()
        let sink = state.withLock { $0.last?.sink }
        sink?.receive(upstream: Upstream(request: { _ in }, cancel: { cancels.add(1) }))
        return cancels.current
    }

    private func end(_ completion: Completion<Failure>, _ run: Int?) -> Bool {
        let isLawful = conduct == .lawful
        let taken = take(run, for: { $0.sink }) { run in
            run.isOver = true
            if isLawful { run.sink = nil }
        }
        taken?.sink.receive(completion: completion)
        return taken != nil
    }

    /// Returns the sink to send to and changes its run, or returns nil if the conduct forbids the send.
    private func take(
        _ run: Int?, for pick: (Run) -> Sink<Value, Failure>?, _ change: (inout Run) -> Void
    ) -> (sink: Sink<Value, Failure>, index: Int)? {
        state.withLock { runs in
            guard let index = run ?? runs.indices.last, runs.indices.contains(index) else { return nil }
            let sink = conduct == .faulty ? runs[index].sink : runs[index].isOver ? nil : pick(runs[index])
            guard let sink else { return nil }
            change(&runs[index])
            return (sink, index)
        }
    }

    private func attach(_ sink: Sink<Value, Failure>) {
        let index = state.withLock { runs in
            runs.append(Run(sink: sink))
            return runs.count - 1
        }
        let held = upstreamHoldsSink ? sink : nil
        let grip = LiveToken(grips)
        sink.receive(
            upstream: Upstream(
                request: { [weak self] more in
                    withExtendedLifetime((grip, held)) { self?.note(.requested(more), of: index) }
                },
                cancel: { [weak self] in withExtendedLifetime(grip) { self?.cancel(index) } }))
    }

    private func note(_ event: Event, of index: Int) {
        state.withLock { runs in
            runs[index].history.append(event)
            switch event {
            case .requested(let demand), .answered(let demand): runs[index].requested += demand
            case .attached, .cancelled: break
            }
        }
    }

    private func cancel(_ index: Int) {
        // The sink is released outside the lock, because releasing it may run foreign code.
        _ = state.withLock { runs -> Sink<Value, Failure>? in
            runs[index].history.append(.cancelled)
            runs[index].isOver = true
            return conduct == .lawful ? runs[index].sink.take() : nil
        }
    }
}
