import Signals

/// One run of an endpoint that delivers one value or fails: the sink's side of a piece of work on a database queue.
///
/// The outcome is delivered once, when it is available and the sink has requested a value; a failure needs no demand. A
/// cancel stops the work and forgets the sink.
final class OneShot<Output: Sendable, Failure: Error>: Sendable {
    fileprivate struct State {
        var sink: Sink<Output, Failure>?
        var isWanted = false
        var outcome: Result<Output, Failure>?
        /// What the work itself came to, whatever became of it.
        var kept: Result<Output, any Error>?
    }

    private let state: Lock<State>
    let cancellation: CancellationFlag

    init(_ sink: Sink<Output, Failure>, _ cancellation: CancellationFlag = CancellationFlag()) {
        state = Lock(State(sink: sink))
        self.cancellation = cancellation
    }

    /// Gives the sink its upstream, and then starts the work.
    func start(_ work: (OneShot) -> Void) {
        guard let sink = state.withLock({ $0.sink }) else { return }
        sink.receive(
            upstream: Upstream(
                request: { [self] _ in request() },
                cancel: { [self] in cancel() }))
        if !cancellation.isCancelled { work(self) }
    }

    /// Takes the outcome; called once, on any queue.
    func finish(_ outcome: consuming Result<Output, Failure>) {
        Delivery.schedule(take(outcome))
    }

    /// Takes the outcome, and returns its delivery, if it is due, or its release, if nobody wants it.
    ///
    /// The outcome is moved, not copied, so that it is never released on a database queue.
    func take(_ outcome: consuming Result<Output, Failure>) -> (@Sendable () -> Void)? {
        var moved: Result<Output, Failure>? = consume outcome
        let isDue = state.withLock { state in
            swap(&state.outcome, &moved)
            return state.isReady || state.sink == nil
        }
        guard isDue else { return nil }
        return { self.deliver() }
    }

    /// Keeps what the work came to until the outcome is delivered, even if that is another one, because it was
    /// cancelled or could not be committed: what it came to may be an object that does something when it is released.
    func keep(_ result: Result<Output, any Error>) {
        state.withLock { $0.kept = result }
    }

    private func request() {
        let isReady = state.withLock { state in
            state.isWanted = true
            return state.isReady
        }
        if isReady { Delivery.schedule { self.deliver() } }
    }

    private func cancel() {
        cancellation.cancel()
        let released = state.withLock { state in
            let released = state
            // While the work runs, what it comes to must not lose its last reference there.
            if state.outcome != nil { state.kept = nil }
            (state.sink, state.outcome) = (nil, nil)
            return released
        }
        withExtendedLifetime(released) {}
    }

    private func deliver() {
        let ready = state.withLock { state in
            defer { (state.sink, state.outcome, state.kept) = (nil, nil, nil) }
            return state
        }
        guard let sink = ready.sink, let outcome = ready.outcome else { return }
        switch outcome {
        case .success(let value):
            _ = sink.receive(value)
            if !cancellation.isCancelled { sink.receive(completion: .finished) }
        case .failure(let error):
            sink.receive(completion: .failure(error))
        }
    }
}

extension OneShot.State {
    /// Whether there is something to deliver now.
    fileprivate var isReady: Bool {
        switch outcome {
        case .success: isWanted && sink != nil
        case .failure: sink != nil
        case nil: false
        }
    }
}
