/// Demand that survives a change of upstream: values that a sink has requested and not received are requested from the
/// next one.
///
/// The operators that follow one signal after another (`catch`, `append`, `retry`, `switchToLatest`, `subscribe(on:)`)
/// pass the arbiter to their sink as its upstream, notify it of each value they deliver, and give it each new upstream.
///
/// Attaching the next signal may deliver and end it before `attach` returns. `start` therefore runs attaches in a loop,
/// so that a hundred thousand consecutive signals do not grow the stack.
@usableFromInline
final class Arbiter: Sendable {
    @usableFromInline
    struct State {
        var upstream: Upstream?
        var isCancelled = false
        /// The number of the followed signal, which identifies late upstreams of earlier signals.
        var turn = 0
    }

    private let state = Lock(State())
    @usableFromInline let outstanding = DemandCounter()
    private let turns = Drain()
    private let attaches = Lock<(@Sendable () -> Void)?>(nil)

    @usableFromInline
    init() {}

    /// The upstream passed to the sink.
    @usableFromInline
    var upstream: Upstream {
        Upstream(request: { self.request($0) }, cancel: { self.cancel() })
    }

    @usableFromInline var isCancelled: Bool { outstanding.isClosed }

    @usableFromInline
    func request(_ demand: Demand) {
        if demand == .none { return }
        // One step, so that the demand is requested either from this upstream or, as outstanding, from the next one.
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

    /// Starts following another signal: returns its number, and the previous upstream, which the caller releases.
    @usableFromInline
    func turn() -> (number: Int, old: Upstream?) {
        state.withLock { state in
            state.turn += 1
            return (state.turn, state.upstream.take())
        }
    }

    /// Takes a new upstream and requests the outstanding demand from it; cancels it if the run is cancelled.
    ///
    /// With `turn`, it is also cancelled if another turn has begun by then. With `first`, the outstanding demand is
    /// requested from that upstream instead.
    @usableFromInline
    func receive(upstream new: Upstream, turn: Int? = nil, requestingFrom first: Upstream? = nil) {
        let (requested, old) = state.withLock { state -> (Demand?, Upstream?) in
            if state.isCancelled || turn.map({ $0 != state.turn }) == true { return (nil, nil) }
            let old = state.upstream
            state.upstream = new
            return (outstanding.current, old)
        }
        old?.cancel()
        if let requested { (first ?? new).request(requested) } else { new.cancel() }
    }

    /// Releases an upstream that has ended or is to be replaced, and returns it.
    @usableFromInline
    @discardableResult
    func dropUpstream(turn: Int? = nil) -> Upstream? {
        state.withLock { state in
            turn.map { $0 != state.turn } == true ? nil : state.upstream.take()
        }
    }

    /// Accounts for a delivered value and the demand that its sink returned; returns the demand for the source.
    @inlinable
    func delivered(adding more: Demand) -> Demand {
        if outstanding.isUnlimited { return .none }
        outstanding.subtract(1)
        if more > .none { outstanding.add(more) }
        return more
    }

    /// Accounts for a value that is about to be delivered; false if another turn has begun or the run is cancelled.
    ///
    /// The check and the count are one step: in between, this value could also be requested from the next signal.
    /// Unlimited demand needs neither count nor lock.
    @usableFromInline
    func take(turn: Int) -> Bool {
        if outstanding.isUnlimited { return true }
        return state.withLock { state in
            guard state.turn == turn, !state.isCancelled else { return false }
            outstanding.subtract(1)
            return true
        }
    }

    /// Follows a signal from now on: attaches it at once, or when the attach in progress has returned.
    ///
    /// Its values go to `onValue`, counted; its end goes to `onCompletion`, which may follow another signal.
    @inlinable
    func follow<Value, Failure: Error>(
        _ signal: Signal<Value, Failure>,
        onValue: @escaping @Sendable (Value) -> Demand,
        onCompletion: @escaping @Sendable (Completion<Failure>) -> Void
    ) {
        start { signal.run(into: self.sink(onValue: onValue, onCompletion: onCompletion)) }
    }

    @inlinable
    func sink<Value, Failure: Error>(
        onValue: @escaping @Sendable (Value) -> Demand,
        onCompletion: @escaping @Sendable (Completion<Failure>) -> Void, tail: Tail<Value, Failure>? = nil
    ) -> Sink<Value, Failure> {
        Sink(
            onUpstream: { self.receive(upstream: $0) },
            // Checked here too: before an upstream has arrived, a cancel has nothing to cancel, and values that another
            // thread sends in between would be delivered.
            onValue: { self.outstanding.isClosed ? .none : self.delivered(adding: onValue($0)) },
            onCompletion: {
                self.dropUpstream()
                if !self.outstanding.isClosed { onCompletion($0) }
            }, tail: tail)
    }

    /// Follows the last signal: the values and the end of this signal, and of any that it continues with, are the
    /// run's.
    @inlinable
    func followToTheEnd<Value, Failure: Error>(_ signal: Signal<Value, Failure>, for next: Sink<Value, Failure>) {
        let tail = Tail(arbiter: self, next: next)
        start { signal.run(into: self.sink(onValue: next.onValue, onCompletion: next.onCompletion, tail: tail)) }
    }

    @usableFromInline
    func start(_ attach: @escaping @Sendable () -> Void) {
        prepare(attach)
        proceed()
    }

    /// Holds an attach until `proceed` makes it or the run is cancelled.
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

/// The arbiter of a run that follows its last signal, and the sink of that run.
///
/// A last signal that itself follows others uses this arbiter instead of another one: with one for each, a signal that
/// continues with itself would make an ever longer chain.
@usableFromInline
final class Tail<Value, Failure: Error>: Sendable {
    @usableFromInline let arbiter: Arbiter
    @usableFromInline let next: Sink<Value, Failure>

    @inlinable
    init(arbiter: Arbiter, next: Sink<Value, Failure>) {
        self.arbiter = arbiter
        self.next = next
    }
}

extension Signal {
    /// Returns a signal that follows one signal after another, beginning with `first`.
    ///
    /// The end of `first` goes to `onCompletion`, with the arbiter to follow another signal and the sink to end.
    @inlinable
    static func following<Failure2: Error>(
        _ first: Signal<Value, Failure2>,
        onCompletion: @escaping @Sendable (Completion<Failure2>, Arbiter, Sink<Value, Failure>) -> Void
    ) -> Signal {
        Signal(trusted: { sink in
            let arbiter = sink.tail?.arbiter ?? Arbiter()
            let next = sink.tail?.next ?? sink
            if sink.tail == nil { next.receive(upstream: arbiter.upstream) }
            arbiter.follow(first, onValue: next.onValue) { onCompletion($0, arbiter, next) }
        })
    }
}
