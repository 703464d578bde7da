extension Signal {
    /// The values as an asynchronous sequence that asks for a few at a time.
    ///
    /// ```swift
    /// for await number in Signal<Int, Never>.sequence(1...3).values {
    ///     print(number)  // 1 2 3
    /// }
    /// ```
    @inlinable
    public var values: SignalValues<Value, Failure> { values(prefetch: 16) }

    /// Returns the values as an asynchronous sequence that keeps up to `prefetch` values ahead of its loop.
    ///
    /// - Delivery: each value once, in order. Each loop is a run of its own; it begins with the first `next()`, and is
    ///   cancelled when its iterator is released (a `break` does that) or its task is cancelled, which ends the loop.
    /// - Failure: the signal's, thrown after the values that came before it.
    @inlinable
    public func values(prefetch: Int) -> SignalValues<Value, Failure> {
        precondition(prefetch > 0, "values(prefetch:) needs room for one value or more.")
        return SignalValues(signal: self, prefetch: prefetch)
    }
}

/// The values of a signal, to be iterated with `for await`.
public struct SignalValues<Value: Sendable, Failure: Error>: AsyncSequence, Sendable {
    /// The type of a value.
    public typealias Element = Value

    @usableFromInline let signal: Signal<Value, Failure>
    @usableFromInline let prefetch: Int

    @inlinable
    init(signal: Signal<Value, Failure>, prefetch: Int) {
        self.signal = signal
        self.prefetch = prefetch
    }

    /// Makes the iterator of one run.
    @inlinable
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(Mailbox(signal, prefetch: prefetch)) }

    /// One run of a signal; releasing it cancels the run.
    public struct AsyncIterator: AsyncIteratorProtocol {
        @usableFromInline let handle: Handle

        @inlinable
        init(_ mailbox: Mailbox<Value, Failure>) { handle = Handle(mailbox) }

        /// Waits for the next value; nil at the end, or when the task is cancelled.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Value? {
            let mailbox = handle.mailbox
            while true {
                if let taken = mailbox.takeAtOnce() { return try taken.get() }
                await withTaskCancellationHandler {
                    await withUnsafeContinuation { mailbox.wait($0) }
                } onCancel: {
                    mailbox.cancel()
                }
            }
        }

        /// Waits for the next value; nil at the end, or when the task is cancelled.
        @inlinable
        public mutating func next() async throws(Failure) -> Value? { try await next(isolation: nil) }

        /// Cancels the run when the last copy of the iterator is released.
        @usableFromInline
        final class Handle: Sendable {
            @usableFromInline let mailbox: Mailbox<Value, Failure>

            @inlinable
            init(_ mailbox: Mailbox<Value, Failure>) { self.mailbox = mailbox }

            @inlinable
            deinit { mailbox.cancel() }
        }
    }
}

/// Values between a signal that delivers and a loop that waits.
///
/// The continuation is an unsafe one, which is safe because it leaves the lock exactly once, to be resumed outside. It
/// only wakes the loop: values pass through the lock, in order.
@usableFromInline
final class Mailbox<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline typealias Outcome = Result<Value?, Failure>

    @usableFromInline struct State {
        @usableFromInline var signal: Signal<Value, Failure>?
        @usableFromInline var values = RingBuffer<Value>()
        @usableFromInline var ending: Completion<Failure>?
        @usableFromInline var waiter: UnsafeContinuation<Void, Never>?
        @usableFromInline var upstream: Upstream?
        /// Values taken since the upstream was last asked.
        @usableFromInline var taken = 0

        @inlinable
        init(signal: Signal<Value, Failure>) { self.signal = signal }
    }

    @usableFromInline let state: Lock<State>
    @usableFromInline let attachment = Attachment()
    @usableFromInline let prefetch: Int

    @inlinable
    init(_ signal: Signal<Value, Failure>, prefetch: Int) {
        state = Lock(State(signal: signal))
        self.prefetch = prefetch
    }

    /// Takes what is there already: a value, or the end.
    @inlinable
    func takeAtOnce() -> Outcome? {
        let (outcome, upstream, refill) = state.withLock { Self.take(&$0, prefetch) }
        if refill > 0 { upstream?.request(.max(refill)) }
        return outcome
    }

    @inlinable
    static func take(_ state: inout State, _ prefetch: Int) -> (Outcome?, Upstream?, Int) {
        guard let value = state.values.popFirst() else {
            guard let ending = state.ending else { return (nil, nil, 0) }
            // A failure is thrown once; a loop that asks again gets the end.
            state.ending = .finished
            guard case .failure(let failure) = ending else { return (.success(nil), nil, 0) }
            return (.failure(failure), nil, 0)
        }
        state.taken += 1
        guard state.taken * 2 >= prefetch, state.ending == nil else { return (.success(value), nil, 0) }
        defer { state.taken = 0 }
        return (.success(value), state.upstream, state.taken)
    }

    /// Wakes the loop once there is something to take; starts the run when it has not begun.
    @inlinable
    func wait(_ continuation: UnsafeContinuation<Void, Never>) {
        let (isDue, signal) = state.withLock { state in
            let isDue = !state.values.isEmpty || state.ending != nil
            if !isDue { state.waiter = continuation }
            return (isDue, state.signal.take())
        }
        if isDue { continuation.resume() }
        if let signal { start(signal) }
    }

    /// Starts the run before anybody waits, unless it has begun.
    @usableFromInline
    func begin() {
        if let signal = state.withLock({ $0.signal.take() }) { start(signal) }
    }

    @inlinable
    func start(_ signal: Signal<Value, Failure>) {
        signal.attach(
            Sink(
                onUpstream: { upstream in
                    guard self.attachment.receive(upstream: upstream) else { return }
                    self.state.withLock { $0.upstream = upstream }
                    upstream.request(.max(self.prefetch))
                },
                onValue: { self.receive($0) },
                onCompletion: { self.receive(completion: $0) }))
    }

    @inlinable
    func receive(_ value: Value) -> Demand {
        if attachment.isClosed { return .none }
        let waiter = state.withLock { state in
            state.values.append(value)
            return state.waiter.take()
        }
        waiter?.resume()
        return .none
    }

    @inlinable
    func receive(completion: Completion<Failure>) {
        guard attachment.end() else { return }
        close(completion, droppingValues: false)
    }

    @inlinable
    func cancel() {
        attachment.cancel()
        close(.finished, droppingValues: true)
    }

    @inlinable
    func close(_ completion: Completion<Failure>, droppingValues: Bool) {
        let (waiter, released) = state.withLock { state in
            let released = (
                state.signal.take(), state.upstream.take(), droppingValues ? state.values.removeAll() : []
            )
            if state.ending == nil || droppingValues { state.ending = completion }
            return (state.waiter.take(), released)
        }
        withExtendedLifetime(released) { waiter?.resume() }
    }
}
