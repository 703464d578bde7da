public import Signals

/// A sink that records its events, so that a test can compare them in one assertion, and that detects breaches of the
/// contract.
///
/// ```swift
/// let recorder = Recorder<Int, Never>(demand: .max(2))
/// Signal<Int, Never>.sequence(1...3).attach(recorder.sink)
/// print(recorder.history == [.upstream, .value(1), .value(2)])  // true
/// recorder.request(.unlimited)
/// print(recorder.values, recorder.isEnded, recorder.breaches)  // [1, 2, 3] true []
/// ```
///
/// It detects overlapping (S7 in Contract.md) and nested deliveries (S24), events before the upstream and a second
/// upstream (S1), values beyond the demand (S14), and events after the end (S9, S10) or after a cancel (S30, S31).
public final class Recorder<Value: Sendable, Failure: Error>: Sendable {
    /// An event that the recorder received.
    public enum Event: Sendable {
        /// The upstream arrived.
        case upstream
        /// A value arrived.
        case value(Value)
        /// The signal finished.
        case finished
        /// The signal failed.
        case failure(Failure)
    }

    package struct State {
        package var log: [(event: Event, time: Duration)] = []
        var upstream: Upstream?
        package var delivered = 0
        var requested = Demand.none
        var inside: ThreadIdentity?
        package var cancelled: Set<ThreadIdentity> = []
        var inFlight = 0
        var cancelReturned = false
        var isEnded = false
        var breaches: [Breach] = []
        var waiters: [Waiter] = []
    }

    package let state = Lock(State())
    private let demand: Demand
    private let perValue: Demand
    private let cancelAt: Int?
    private let clock: (any SignalScheduler)?
    private let reaction: (@Sendable (Recorder, Event) -> Void)?

    /// Creates a recorder that requests `demand` when its upstream arrives, and returns `perValue` for each value.
    ///
    /// - Parameters:
    ///   - demand: The demand requested inside `receive(upstream:)`.
    ///   - perValue: The demand returned from each delivery.
    ///   - cancelAt: The recorder cancels during the delivery of this value: 1 is the first value, and 0 is the arrival
    ///     of the upstream.
    ///   - clock: The clock that timestamps the events, for `timeline(tick:naming:)`.
    ///   - reaction: A closure called inside each delivery; a test can make re-entrant calls from it.
    public init(
        demand: Demand = .unlimited, perValue: Demand = .none, cancelAt: Int? = nil,
        clock: (any SignalScheduler)? = nil,
        reaction: (@Sendable (Recorder, Event) -> Void)? = nil
    ) {
        self.demand = demand
        self.perValue = perValue
        self.cancelAt = cancelAt
        self.clock = clock
        self.reaction = reaction
    }

    /// The sink to attach; a recorder records one run.
    public var sink: Sink<Value, Failure> {
        Sink(
            onUpstream: { self.receive(upstream: $0) },
            onValue: { self.receive($0) },
            onCompletion: { self.receive(completion: $0) })
    }

    /// All events that were delivered so far, in order.
    public var history: [Event] { state.withLock { $0.log.map(\.event) } }

    /// The values that were delivered so far.
    public var values: [Value] {
        history.compactMap { if case .value(let value) = $0 { value } else { nil } }
    }

    /// The completion of the run; nil if the run has not ended or was cancelled.
    public var completion: Completion<Failure>? {
        for event in history {
            if case .finished = event { return .finished }
            if case .failure(let failure) = event { return .failure(failure) }
        }
        return nil
    }

    /// Whether the run has finished or failed.
    public var isEnded: Bool { state.withLock { $0.isEnded } }

    /// The number of values that were requested and not delivered yet.
    public var outstanding: Demand {
        state.withLock { state in
            guard let limit = state.requested.limit else { return .unlimited }
            return .max(max(0, limit - state.delivered))
        }
    }

    /// The breaches of the contract that this recorder has detected.
    public var breaches: [Breach] { state.withLock { $0.breaches } }

    /// Requests more values.
    public func request(_ demand: Demand) {
        let upstream = state.withLock { state in
            state.requested += demand
            return state.upstream
        }
        upstream?.request(demand)
    }

    /// Cancels the run and releases the upstream.
    public func cancel() {
        let here = ThreadIdentity.current
        let upstream = state.withLock { state in
            state.cancelled.insert(here)
            return state.upstream
        }
        // Each thread cancels the upstream itself. If it relied on another thread's cancel, it could return before that
        // cancel has taken effect.
        upstream?.cancel()
        let released = state.withLock { state in
            state.cancelReturned = true
            return state.upstream.take()
        }
        withExtendedLifetime(released) {}
    }

    private func receive(upstream: Upstream) {
        let time = clock?.now ?? .zero
        let isWanted = state.withLock { state in
            defer { state.log.append((.upstream, time)) }
            guard state.log.isEmpty else {
                state.breaches.append(Breach("S1", "An upstream came after another event."))
                return false
            }
            guard state.cancelled.isEmpty else { return false }
            state.upstream = upstream
            state.requested += demand
            return true
        }
        guard isWanted else { return upstream.cancel() }
        if cancelAt == 0 { return cancel() }
        reaction?(self, .upstream)
        upstream.request(demand)
    }

    private func receive(_ value: Value) -> Demand {
        let outer = enter(.value(value))
        let count = state.withLock { $0.delivered }
        reaction?(self, .value(value))
        if count == cancelAt { cancel() }
        leave(outer, adding: perValue)
        return perValue
    }

    private func receive(completion: Completion<Failure>) {
        let event: Event =
            switch completion {
            case .finished: .finished
            case .failure(let failure): .failure(failure)
            }
        let outer = enter(event)
        reaction?(self, event)
        leave(outer, adding: .none)
    }

    /// Records an event and its breaches; returns the thread that is already inside a delivery, if there is one.
    private func enter(_ event: Event) -> ThreadIdentity? {
        let here = ThreadIdentity.current
        let time = clock?.now ?? .zero
        let (outer, resumed, released) = state.withLock { state in
            let outer = state.inside
            state.inside = here
            state.judge(event, outer: outer, here: here)
            state.log.append((event, time))
            var released: Upstream?
            if case .value = event {
                state.delivered += 1
            } else {
                state.isEnded = true
                released = state.upstream.take()
            }
            return (outer, state.takeWaiters(), released)
        }
        withExtendedLifetime(released) { for waiter in resumed { waiter.resume() } }
        return outer
    }

    private func leave(_ outer: ThreadIdentity?, adding more: Demand) {
        state.withLock { state in
            state.inside = outer
            state.requested += more
        }
    }
}

extension Recorder.Event: Equatable where Value: Equatable, Failure: Equatable {}
extension Recorder.Event: Hashable where Value: Hashable, Failure: Hashable {}

extension Signal {
    /// Attaches a new recorder and returns it; see `Recorder`.
    ///
    /// ```swift
    /// print(Signal<Int, Never>.sequence(1...3).record().values)  // [1, 2, 3]
    /// ```
    /// The recorder also sees the events that `attach` would drop, after the end or a cancel. It records a breach if
    /// such an event breaks the contract.
    public func record(
        demand: Demand = .unlimited, perValue: Demand = .none, cancelAt: Int? = nil,
        clock: (any SignalScheduler)? = nil,
        reaction: (@Sendable (Recorder<Value, Failure>, Recorder<Value, Failure>.Event) -> Void)? = nil
    ) -> Recorder<Value, Failure> {
        let recorder = Recorder<Value, Failure>(
            demand: demand, perValue: perValue, cancelAt: cancelAt, clock: clock, reaction: reaction)
        run(into: recorder.sink)
        return recorder
    }
}

extension Recorder.State {
    /// Records the breaches of the contract by an event that has just arrived.
    mutating func judge(_ event: Recorder.Event, outer: ThreadIdentity?, here: ThreadIdentity) {
        if log.isEmpty { breaches.append(Breach("S1", "\(event) came before the upstream.")) }
        if let outer {
            breaches.append(
                outer == here
                    ? Breach("S24", "\(event) came inside another delivery.")
                    : Breach("S7", "\(event) came while another thread was delivering."))
        }
        if isEnded { breaches.append(Breach(event.isValue ? "S9" : "S10", "\(event) came after the end.")) }
        judgeAfterCancel(event, here)
        if event.isValue, let limit = requested.limit, delivered >= limit {
            breaches.append(Breach("S14", "\(event) came, but only \(limit) values were requested."))
        }
    }

    private mutating func judgeAfterCancel(_ event: Recorder.Event, _ here: ThreadIdentity) {
        guard !cancelled.isEmpty else { return }
        if cancelled.contains(here) {
            breaches.append(Breach(event.isValue ? "S30" : "S31", "\(event) came after this thread had cancelled."))
        } else if cancelReturned {
            inFlight += 1
            if inFlight > 1 {
                breaches.append(Breach("S30", "\(event) came after a cancel, and was not the one in flight."))
            }
        }
    }
}

extension Recorder.Event {
    package var isValue: Bool { if case .value = self { true } else { false } }
}
