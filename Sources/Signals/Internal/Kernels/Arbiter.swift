/// The demand of a sink, which survives a change of upstream: values that were requested and not received are requested
/// from the next upstream.
///
/// The operators that follow one signal after another (`catch`, `append`, `retry`, `switchToLatest`, `subscribe(on:)`)
/// pass the arbiter to their sink as its upstream. They notify the arbiter of each value that they deliver, and give it
/// each new upstream.
///
/// A signal may deliver its values and its end before its `attach` returns. `start` therefore runs attaches in a loop,
/// so that a hundred thousand consecutive signals do not grow the stack.
@usableFromInline
final class Arbiter: Sendable {
    @usableFromInline
    struct State {
        var upstream: Upstream?
        var isCancelled = false
        /// The number of the followed signal.
        ///
        /// It shows whether a late upstream belongs to an earlier signal.
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
        // Adds and reads in one step, so that the demand goes either to this upstream or to the next, never to both.
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

    /// Begins to follow another signal; returns its number, and the previous upstream, which the caller releases.
    @usableFromInline
    func turn() -> (number: Int, old: Upstream?) {
        state.withLock { state in
            state.turn += 1
            return (state.turn, state.upstream.take())
        }
    }

    /// Stores a new upstream and requests the outstanding demand from it, or cancels it if the run is cancelled.
    ///
    /// With `turn`, also cancels the new upstream if `turn` is outdated. With `first`, requests the outstanding demand
    /// from `first` instead.
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

    /// Removes and returns an upstream that has ended or is to be replaced, unless `turn` is outdated.
    @usableFromInline
    @discardableResult
    func dropUpstream(turn: Int? = nil) -> Upstream? {
        state.withLock { state in
            turn.map { $0 != state.turn } == true ? nil : state.upstream.take()
        }
    }

    /// Subtracts a delivered value and adds the demand that the sink returned; returns the demand for the source.
    @inlinable
    func delivered(adding more: Demand) -> Demand {
        if outstanding.isUnlimited { return .none }
        outstanding.subtract(1)
        if more > .none { outstanding.add(more) }
        return more
    }

    /// Subtracts a value before its delivery; returns false if another turn has begun or the run is cancelled.
    ///
    /// The check and the subtraction are one step. Otherwise, a turn that begins in between would request this value
    /// from the next signal, too. Unlimited demand needs neither a subtraction nor the lock.
    @usableFromInline
    func take(turn: Int) -> Bool {
        if outstanding.isUnlimited { return true }
        return state.withLock { state in
            guard state.turn == turn, !state.isCancelled else { return false }
            outstanding.subtract(1)
            return true
        }
    }

    /// Follows a signal: attaches it at once, or when the attach in progress has returned.
    ///
    /// The arbiter counts the signal's values and passes them to `onValue`. The signal's end goes to `onCompletion`,
    /// which may follow another signal.
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
            // Checks for a cancel, because a cancel that precedes the upstream stops no source. Without this check,
            // values that another thread sends would still be delivered.
            onValue: { self.outstanding.isClosed ? .none : self.delivered(adding: onValue($0)) },
            onCompletion: {
                self.dropUpstream()
                if !self.outstanding.isClosed { onCompletion($0) }
            }, tail: tail)
    }

    /// Follows the last signal of the run.
    ///
    /// `next` receives the values and the end of this signal, and of any signal with which this signal continues.
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

    /// Stores an attach until `proceed` runs it; drops it if the run is cancelled.
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

/// The arbiter and the sink of a run that has reached the last of the signals that it follows.
///
/// If that signal itself follows other signals, as with `append`, it uses this arbiter instead of its own. With an
/// arbiter for each signal, a signal that continues with itself would make an ever longer chain of arbiters.
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
    /// The end of `first` goes to `onCompletion`, which follows another signal through the arbiter or ends the sink.
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
