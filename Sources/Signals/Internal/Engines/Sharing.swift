/// One upstream for many sinks: the engine of `share`, `share(replay:)`, `multicast` and `cache`.
///
/// ```
///   idle ──first sink (or connect)──▶ connected ──last sink leaves, after the linger──▶ idle
///                                        └──────── upstream ends ────────▶ idle, for the next sink; or kept
/// ```
/// Who connects and who disconnects is decided under the lock, by counting; attaching, cancelling and releasing happen
/// outside it.
final class Sharing<Value: Sendable, Failure: Error>: Sendable {
    /// One connection to the upstream.
    private struct Connection {
        let hub: Hub<Value, Failure>
        let generation: Int
        let upstream = SignalToken()
        /// What the tokens of `connect()` share: closed when the connection ends, for whatever reason.
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
        /// Whether the upstream has ended and the hub is kept, with everything it remembers.
        var isKept = false
    }

    private let state = Lock(State())
    private let source: Signal<Value, Failure>
    private let makeHub: @Sendable () -> Hub<Value, Failure>
    private let connectsFirst: Bool
    private let keepsEnd: Bool
    private let startLinger: (@Sendable (@escaping @Sendable () -> Void) -> SignalToken)?

    init(
        _ source: Signal<Value, Failure>, connectsFirst: Bool, keepsEnd: Bool = false,
        linger: (@Sendable (@escaping @Sendable () -> Void) -> SignalToken)?,
        makeHub: @escaping @Sendable () -> Hub<Value, Failure>
    ) {
        self.source = source
        self.connectsFirst = connectsFirst
        self.keepsEnd = keepsEnd
        self.startLinger = linger
        self.makeHub = makeHub
    }

    /// A sharing of the same source that connects with its first sink.
    func automatic() -> Sharing {
        Sharing(source, connectsFirst: true, keepsEnd: keepsEnd, linger: startLinger, makeHub: makeHub)
    }

    func attach(_ sink: Sink<Value, Failure>) {
        let (hub, generation, linger) = state.withLock { state in
            let hub = Self.hub(&state, makeHub)
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
                onCompletion: {
                    seat.cancel()
                    sink.receive(completion: $0)
                }))
        // Not for a sink that has already detached, as it got its upstream or as its run ended: nobody would
        // disconnect.
        let connection = state.withLock { state -> Connection? in
            guard connectsFirst, state.generation == generation, state.sinks > 0 else { return nil }
            let (connection, isNew) = Self.connection(&state, makeHub)
            return isNew ? connection : nil
        }
        if let connection { begin(connection) }
    }

    private static func hub(
        _ state: inout State, _ makeHub: @Sendable () -> Hub<Value, Failure>
    ) -> Hub<Value, Failure> {
        if let hub = state.hub { return hub }
        let hub = makeHub()
        state.hub = hub
        state.generation += 1
        return hub
    }

    /// Attaches the upstream, unless it is already attached; returns the handle of the connection.
    func connect() -> Attachment {
        let (connection, isNew) = state.withLock { Self.connection(&$0, makeHub) }
        if isNew { begin(connection) }
        return connection.handle
    }

    private static func connection(
        _ state: inout State, _ makeHub: @Sendable () -> Hub<Value, Failure>
    ) -> (Connection, isNew: Bool) {
        if let connection = state.connection { return (connection, false) }
        let hub = hub(&state, makeHub)
        let connection = Connection(hub: hub, generation: state.generation)
        state.connection = connection
        return (connection, true)
    }

    private func begin(_ connection: Connection) {
        let upstream = connection.upstream
        connection.handle.receive(upstream: Upstream(request: { _ in }, cancel: { [self] in cut(upstream) }))
        let (hub, generation) = (connection.hub, connection.generation)
        source.sink(
            cancelledBy: upstream,
            onValue: { hub.send($0) },
            onCompletion: { [self] completion in
                if keepsEnd { keep(generation) } else { forget(generation) }
                hub.inbox.submit(.end(completion), to: hub)
            })
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
        let (released, linger) = state.withLock { state -> (State?, SignalToken?) in
            guard state.generation == generation, state.sinks == 0, !state.isKept else { return (nil, nil) }
            let old = state
            state = State(generation: generation + 1)
            return (old, old.linger)
        }
        // The linger that has just ended may be running this very call.
        linger?.detach()
        released?.connection?.cancel()
    }

    /// Keeps a connection whose upstream has ended: it counts as connected, so that no sink starts another.
    private func keep(_ generation: Int) {
        let connection = state.withLock { state -> Connection? in
            guard state.generation == generation else { return nil }
            state.isKept = true
            return state.connection
        }
        connection?.end()
    }

    /// Forgets a connection whose upstream has ended, so that the next sink starts a new one.
    private func forget(_ generation: Int) {
        let released = state.withLock { state -> State? in
            guard state.generation == generation else { return nil }
            let old = state
            state = State(generation: generation + 1)
            return old
        }
        released?.connection?.end()
        released?.linger?.cancel()
    }
}
