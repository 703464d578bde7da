/// One upstream for many sinks: the engine of `share`, `share(replay:)` and `multicast`.
///
/// ```
///   idle ──first sink (or connect)──▶ connected ──last sink leaves, after the linger──▶ idle
///                                        └──────── upstream ends ────────▶ idle, for the next sink
/// ```
/// Who connects and who disconnects is decided under the lock, by counting; attaching, cancelling and releasing happen
/// outside it.
final class Sharing<Value: Sendable, Failure: Error>: Sendable {
    private struct State {
        var hub: Hub<Value, Failure>?
        var upstream: SignalToken?
        var sinks = 0
        var linger: SignalToken?
        /// Tells this connection from the ones before it.
        var generation = 0
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

    /// A sharing of the same source that connects with its first sink.
    func automatic() -> Sharing {
        Sharing(source, connectsFirst: true, linger: startLinger, makeHub: makeHub)
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
        // Not for one that has left again, as it got its upstream or as its run ended: nobody would disconnect.
        if connectsFirst { connect(if: { $0.generation == generation && $0.sinks > 0 }) }
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

    /// Attaches the upstream, unless it is attached already.
    func connect() { connect(if: { _ in true }) }

    private func connect(if isWanted: (State) -> Bool) {
        let token = SignalToken()
        let (hub, generation) = state.withLock { state -> (Hub<Value, Failure>?, Int) in
            if state.upstream != nil || !isWanted(state) { return (nil, 0) }
            state.upstream = token
            return (Self.hub(&state, makeHub), state.generation)
        }
        guard let hub else { return }
        source.sink(
            cancelledBy: token,
            onValue: { hub.send($0) },
            onCompletion: { [self] completion in
                forget(generation)
                hub.submit(.end(completion))
            })
    }

    /// Cancels the upstream and leaves the sinks where they are, to be connected again.
    func cut() {
        let token = state.withLock { $0.upstream.take() }
        token?.cancel()
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
            guard state.generation == generation, state.sinks == 0 else { return (nil, nil) }
            let old = state
            state = State(generation: generation + 1)
            return (old, old.linger)
        }
        // The linger that is over now may be running this very call.
        linger?.detach()
        released?.upstream?.cancel()
    }

    /// Forgets a connection whose upstream has ended, so that the next sink begins anew.
    private func forget(_ generation: Int) {
        let released = state.withLock { state -> State? in
            guard state.generation == generation else { return nil }
            let old = state
            state = State(generation: generation + 1)
            return old
        }
        released?.upstream?.detach()
        released?.linger?.cancel()
    }
}
