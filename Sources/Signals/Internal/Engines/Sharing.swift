/// One upstream for many sinks: the engine of `share`, `share(replay:)`, `multicast` and `cache`.
///
/// ```
///   idle ──first sink (or connect)──▶ connected ──last sink leaves, after the linger──▶ idle
///                                        ├──────── upstream ends ────────▶ idle, for the next sink
///                                        └─ cache: its first value, or its end ─▶ kept, even without sinks
/// ```
/// The sinks are counted under the lock, which decides whether a call connects or disconnects; attaching, cancelling
/// and releasing happen outside it.
final class Sharing<Value: Sendable, Failure: Error>: Sendable {
    private struct Connection {
        let hub: Hub<Value, Failure>
        let generation: Int
        let upstream = SignalToken()
        /// Shared by the tokens of `connect()`, and closed when the connection ends, for whatever reason.
        let handle = Attachment()

        func cancel() {
            _ = handle.end()
            upstream.cancel()
        }

        func end() {
            _ = handle.end()
            upstream.detach()
        }
    }

    private struct State {
        var hub: Hub<Value, Failure>?
        var connection: Connection?
        var sinks = 0
        var linger: SignalToken?
        /// Distinguishes this connection from earlier ones.
        var generation = 0
        /// Whether the hub is kept, even without sinks, because it remembers a value or the end.
        var isRetained = false
        /// Whether a kept upstream waits for a request, since there was no sink after its last value.
        var isPaused = false
    }

    private let state = Lock(State())
    private let source: Signal<Value, Failure>
    private let makeHub: @Sendable () -> Hub<Value, Failure>
    private let connectsFirst: Bool
    private let startLinger: (@Sendable (@escaping @Sendable () -> Void) -> SignalToken)?

    init(
        _ source: Signal<Value, Failure>, connectsFirst: Bool,
        linger: (@Sendable (@escaping @Sendable () -> Void) -> SignalToken)?,
        makeHub: @escaping @Sendable () -> Hub<Value, Failure>
    ) {
        self.source = source
        self.connectsFirst = connectsFirst
        self.startLinger = linger
        self.makeHub = makeHub
    }

    /// Returns a sharing of the same source that connects with its first sink.
    func automatic() -> Sharing {
        Sharing(source, connectsFirst: true, linger: startLinger, makeHub: makeHub)
    }

    var signal: Signal<Value, Failure> { Signal(trusted: { [self] in attach($0) }) }

    func attach(_ sink: Sink<Value, Failure>) {
        let (hub, generation, linger) = state.withLock { state in
            let hub = self.hub(&state)
            state.sinks += 1
            return (hub, state.generation, state.linger.take())
        }
        linger?.cancel()
        let seat = SignalToken(onCancel: { [weak self] in self?.leave(generation) })
        hub.attach(
            Sink(
                onUpstream: { upstream in
                    sink.receive(
                        upstream: Upstream(
                            request: { upstream.request($0) },
                            cancel: { [self] in
                                upstream.cancel()
                                seat.cancel()
                                withExtendedLifetime(self) {}
                            }))
                },
                onValue: sink.onValue,
                // An attached sink retains the sharing, and so the run, even if nothing else does.
                onCompletion: { [self] in
                    seat.cancel()
                    sink.receive(completion: $0)
                    withExtendedLifetime(self) {}
                }))
        // Not for a sink that has already detached, inside its attach or because its run ended: nothing would
        // disconnect.
        let (connection, paused) = state.withLock { state -> (Connection?, SignalToken?) in
            guard connectsFirst, state.generation == generation, state.sinks > 0 else { return (nil, nil) }
            let (connection, isNew) = self.connection(&state)
            defer { state.isPaused = false }
            return (isNew ? connection : nil, state.isPaused ? connection.upstream : nil)
        }
        if let connection { begin(connection) }
        paused?.attachment.request(.max(1))
    }

    private func hub(_ state: inout State) -> Hub<Value, Failure> {
        if let hub = state.hub { return hub }
        let hub = makeHub()
        state.hub = hub
        state.generation += 1
        return hub
    }

    /// Attaches the upstream, unless it is already attached; returns the handle of the connection.
    func connect() -> Attachment {
        let (connection, isNew) = state.withLock { self.connection(&$0) }
        if isNew {
            let upstream = connection.upstream
            connection.handle.receive(upstream: Upstream(request: { _ in }, cancel: { [self] in cut(upstream) }))
            begin(connection)
        }
        return connection.handle
    }

    private func connection(_ state: inout State) -> (Connection, isNew: Bool) {
        if let connection = state.connection { return (connection, false) }
        let hub = self.hub(&state)
        let connection = Connection(hub: hub, generation: state.generation)
        state.connection = connection
        return (connection, true)
    }

    /// Attaches the upstream; if the hub has no `source` to request from, the run is kept.
    ///
    /// The run does not retain the sharing: when the signal and all sinks are gone, the run is cancelled.
    private func begin(_ connection: Connection) {
        let (hub, generation) = (connection.hub, connection.generation)
        guard let demand = hub.source else { return beginToKeep(connection) }
        let attachment = connection.upstream.attachment
        let turn = demand.turn().number
        source.run(
            into: Sink(
                onUpstream: { upstream in
                    guard attachment.receive(upstream: upstream) else { return }
                    demand.receive(upstream: Upstream(request: { attachment.request($0) }, cancel: {}), turn: turn)
                },
                onValue: { value in
                    if !attachment.isClosed { hub.receive(value, turn: turn) }
                    return .none
                },
                onCompletion: { [weak self] completion in
                    guard attachment.end() else { return }
                    self?.forget(generation)
                    hub.send(completion: completion)
                }))
    }

    /// Attaches an upstream whose run is kept from its first value on: another value is requested for each one, while
    /// there is a sink.
    private func beginToKeep(_ connection: Connection) {
        let (hub, generation, attachment) = (connection.hub, connection.generation, connection.upstream.attachment)
        source.run(
            into: Sink(
                onUpstream: { if attachment.receive(upstream: $0) { $0.request(.max(1)) } },
                onValue: { [weak self] value in
                    if attachment.isClosed { return .none }
                    // Before the delivery, inside which the last sink may leave.
                    self?.keep(generation)
                    hub.send(value)
                    return self?.isWanted(generation) == true ? .max(1) : .none
                },
                onCompletion: { [weak self] completion in
                    guard attachment.end() else { return }
                    self?.keep(generation)
                    hub.send(completion: completion)
                }))
    }

    /// Returns whether a kept upstream should deliver another value; if not, it waits for the next sink.
    private func isWanted(_ generation: Int) -> Bool {
        state.withLock { state in
            guard state.generation == generation else { return false }
            state.isPaused = state.sinks == 0
            return !state.isPaused
        }
    }

    /// Cancels the upstream of a connection and keeps the sinks attached, to be connected again.
    private func cut(_ upstream: SignalToken) {
        let connection = state.withLock { state in
            state.connection?.upstream === upstream ? state.connection.take() : nil
        }
        connection?.cancel()
    }

    private func leave(_ generation: Int) {
        let isLast = state.withLock { state in
            guard state.generation == generation else { return false }
            state.sinks -= 1
            return state.sinks == 0 && state.hub != nil
        }
        guard isLast && connectsFirst else { return }
        guard let startLinger else { return disconnect(generation) }
        let linger = startLinger { [weak self] in self?.disconnect(generation) }
        let isUnneeded = state.withLock { state in
            if state.sinks > 0 || state.generation != generation { return true }
            state.linger = linger
            return false
        }
        if isUnneeded { linger.cancel() }
    }

    private func disconnect(_ generation: Int) {
        let released = takeState(of: generation) { $0.sinks == 0 && !$0.isRetained }
        // The linger that has just ended may be running this call, which must not be cancelled.
        released?.linger?.detach()
        released?.connection?.cancel()
    }

    /// Keeps a connection, so that no new sink starts another one, and no sink that leaves ends it.
    private func keep(_ generation: Int) {
        state.withLock { if $0.generation == generation { $0.isRetained = true } }
    }

    /// Forgets a connection whose upstream has ended, so that the next sink starts a new one.
    private func forget(_ generation: Int) {
        let released = takeState(of: generation)
        released?.connection?.end()
        released?.linger?.cancel()
    }

    /// Resets the state, and returns the old one, to be released outside the lock; nil if that is not due, or was done.
    private func takeState(of generation: Int, if isDue: (State) -> Bool = { _ in true }) -> State? {
        state.withLock { state in
            guard state.generation == generation, isDue(state) else { return nil }
            defer { state = State(generation: generation + 1) }
            return state
        }
    }
}
