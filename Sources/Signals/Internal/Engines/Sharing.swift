/// One upstream for many sinks: the engine of `share`, `share(replay:)`, `multicast` and `cache`.
///
/// ```
///   idle ──first sink (or connect)──▶ connected ──last sink leaves, after the linger──▶ idle
///                                        ├──────── upstream ends ────────▶ idle, for the next sink
///                                        └─ cache: its first value, or its end ─▶ kept, even without sinks
/// ```
/// The linger is the delay that only `share(replay:linger:on:)` sets. Sinks are counted under the lock. Attaching,
/// cancelling and releasing happen outside the lock.
final class Sharing<Value: Sendable, Failure: Error>: Sendable {
    private struct Connection {
        let hub: Hub<Value, Failure>
        let generation: Int
        let upstream = SignalToken()
        /// The attachment that all tokens of `connect()` share.
        ///
        /// It is closed when the connection ends for any reason.
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
        /// The number that distinguishes this connection from earlier connections.
        var generation = 0
        /// For `cache`: whether the hub is kept without sinks, because it has received a value or the end.
        var isRetained = false
        /// For `cache`: whether the upstream waits for a request, because its last value arrived without a sink.
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

    /// Returns a `Sharing` of the same source that connects when its first sink attaches.
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
                // This closure retains the sharing. So an attached sink keeps the run alive, even if nothing else does.
                onCompletion: { [self] in
                    seat.cancel()
                    sink.receive(completion: $0)
                    withExtendedLifetime(self) {}
                }))
        // Does not connect for a sink that has detached during its attach or whose run has already ended, because
        // nothing would disconnect later.
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

    /// Attaches the upstream.
    ///
    /// If the hub has no `source` to request from, attaches with `beginToKeep` instead.
    ///
    /// The run does not retain the sharing, so the run is cancelled when the signal and all sinks are gone.
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

    /// Attaches an upstream whose run is kept from its first value on.
    ///
    /// While a sink is attached, each delivered value requests the next one.
    private func beginToKeep(_ connection: Connection) {
        let (hub, generation, attachment) = (connection.hub, connection.generation, connection.upstream.attachment)
        source.run(
            into: Sink(
                onUpstream: { if attachment.receive(upstream: $0) { $0.request(.max(1)) } },
                onValue: { [weak self] value in
                    if attachment.isClosed { return .none }
                    // `keep` precedes the delivery, because the last sink may leave inside the delivery.
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

    /// Returns whether a kept upstream should deliver another value.
    ///
    /// If not, the upstream waits for the next sink.
    private func isWanted(_ generation: Int) -> Bool {
        state.withLock { state in
            guard state.generation == generation else { return false }
            state.isPaused = state.sinks == 0
            return !state.isPaused
        }
    }

    /// Cancels the upstream of a connection, and keeps the sinks attached for the next connection.
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
        // This call may be the work of the linger timer. The timer's token is detached, so that releasing the token
        // does not cancel the timer.
        released?.linger?.detach()
        released?.connection?.cancel()
    }

    /// Keeps a connection, so that a new sink starts no other connection, and the last sink to leave does not end it.
    private func keep(_ generation: Int) {
        state.withLock { if $0.generation == generation { $0.isRetained = true } }
    }

    /// Forgets a connection whose upstream has ended, so that the next sink starts a new one.
    private func forget(_ generation: Int) {
        let released = takeState(of: generation)
        released?.connection?.end()
        released?.linger?.cancel()
    }

    /// Resets the state; returns the old state, which the caller releases outside the lock.
    ///
    /// Returns nil if the generation is outdated or `isDue` returns false.
    private func takeState(of generation: Int, if isDue: (State) -> Bool = { _ in true }) -> State? {
        state.withLock { state in
            guard state.generation == generation, isDue(state) else { return nil }
            defer { state = State(generation: generation + 1) }
            return state
        }
    }
}
