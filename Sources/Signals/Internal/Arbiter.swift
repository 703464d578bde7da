/// Demand that survives a change of upstream: what a sink asked for and has not got yet is asked of the next one.
///
/// The operators that follow one signal after another (`catch`, `append`, `retry`, `switchToLatest`, `subscribe(on:)`)
/// hand the arbiter to their sink as its upstream, tell it of each value that they deliver, and give it each new
/// upstream.
///
/// Attaching the next signal may deliver and end it before `attach` returns. `start` therefore runs attaches in a
/// loop, so that a hundred thousand signals after one another do not grow the stack.
@usableFromInline
final class Arbiter: Sendable {
    @usableFromInline
    struct State {
        var upstream: Upstream?
        var isCancelled = false
        /// The number of the signal that is followed, where late upstreams of earlier ones are possible.
        var turn = 0
    }

    private let state = Lock(State())
    @usableFromInline let outstanding = DemandCounter()
    private let turns = Drain()
    private let attaches = Lock<(@Sendable () -> Void)?>(nil)

    @usableFromInline
    init() {}

    /// What the sink is given.
    @usableFromInline
    var upstream: Upstream {
        Upstream(request: { self.request($0) }, cancel: { self.cancel() })
    }

    @usableFromInline var isCancelled: Bool { outstanding.isClosed }

    @usableFromInline
    func request(_ demand: Demand) {
        if demand == .none { return }
        // Counted and addressed in one step, so that it is asked either of this upstream or, as outstanding, of the
        // next.
        let current = state.withLock { state -> Upstream? in
            outstanding.add(demand)
            return state.upstream
        }
        current?.request(demand)
    }

    @usableFromInline
    func cancel() {
        let released = state.withLock { state -> Upstream? in
            state.isCancelled = true
            outstanding.close()
            return state.upstream.take()
        }
        released?.cancel()
        _ = attaches.withLock { $0.take() }
    }

    /// Begins to follow another signal: lets go of the upstream of the one before, and returns the number of this one.
    @usableFromInline
    func turn() -> (number: Int, old: Upstream?) {
        state.withLock { state in
            state.turn += 1
            return (state.turn, state.upstream.take())
        }
    }

    /// Takes a new upstream and asks it for what is outstanding; cancels it when the run is cancelled.
    ///
    /// With the number of a turn, it is cancelled too when another turn has begun meanwhile.
    @usableFromInline
    func receive(upstream new: Upstream, turn: Int? = nil) {
        let (asked, old) = state.withLock { state -> (Demand?, Upstream?) in
            if state.isCancelled || turn.map({ $0 != state.turn }) == true { return (nil, nil) }
            let old = state.upstream
            state.upstream = new
            return (outstanding.current, old)
        }
        old?.cancel()
        if let asked { new.request(asked) } else { new.cancel() }
    }

    /// Lets go of an upstream that has ended or is to be replaced, and returns it.
    @usableFromInline
    @discardableResult
    func dropUpstream(turn: Int? = nil) -> Upstream? {
        state.withLock { state in
            turn.map { $0 != state.turn } == true ? nil : state.upstream.take()
        }
    }

    /// Accounts for a value that was delivered and the demand that its sink answered with; returns what to answer the
    /// source.
    @inlinable
    func delivered(adding more: Demand) -> Demand {
        if outstanding.isUnlimited { return .none }
        outstanding.subtract(1)
        if more > .none { outstanding.add(more) }
        return more
    }

    /// Attaches the signal that is followed from now on: at once, or when the attach under way has returned.
    ///
    /// Its values go to `onValue`, counted; its end goes to `onCompletion`, which may follow another.
    @inlinable
    func follow<Value, Failure: Error>(
        _ signal: Signal<Value, Failure>,
        onValue: @escaping @Sendable (Value) -> Demand,
        onCompletion: @escaping @Sendable (Completion<Failure>) -> Void
    ) {
        start {
            signal.attach(
                Sink(
                    onUpstream: { self.receive(upstream: $0) },
                    onValue: { self.delivered(adding: onValue($0)) },
                    onCompletion: {
                        self.dropUpstream()
                        onCompletion($0)
                    }))
        }
    }

    @usableFromInline
    func start(_ attach: @escaping @Sendable () -> Void) {
        prepare(attach)
        proceed()
    }

    /// Holds what `proceed` will attach, until then or until the run is cancelled.
    @usableFromInline
    func prepare(_ attach: @escaping @Sendable () -> Void) {
        attaches.withLock { $0 = attach }
        if isCancelled { _ = attaches.withLock { $0.take() } }
    }

    @usableFromInline
    func proceed() {
        turns.run {
            if let next = attaches.withLock({ $0.take() }), !isCancelled { next() }
        }
    }
}

extension Signal {
    /// A signal that follows one signal after another, beginning with `first`.
    ///
    /// What `first` ends with goes to `onCompletion`, with the arbiter to follow another signal with and the sink to
    /// end.
    @inlinable
    static func following<Failure2: Error>(
        _ first: Signal<Value, Failure2>,
        onCompletion: @escaping @Sendable (Completion<Failure2>, Arbiter, Sink<Value, Failure>) -> Void
    ) -> Signal {
        Signal(trusted: { next in
            let arbiter = Arbiter()
            next.receive(upstream: arbiter.upstream)
            arbiter.follow(first, onValue: next.onValue) { onCompletion($0, arbiter, next) }
        })
    }
}
