import Signals

/// One run of an endpoint that delivers one value or fails: the sink's side of a piece of work on a database queue.
///
/// The outcome is delivered once, when it is available and the sink has requested a value; a failure needs no demand. A
/// cancel stops the work and forgets the sink.
final class OneShot: Sendable {
    /// Who knows the sink, and the type of the value.
    fileprivate struct Receiver: Sendable {
        let upstream: @Sendable (Upstream) -> Void
        let value: @Sendable () -> Void
        let completion: @Sendable (Completion<RepositoryError>) -> Void
    }

    fileprivate struct State {
        var receiver: Receiver?
        var isWanted = false
        /// What became of the work; the value is in the slot.
        var outcome: Result<Void, RepositoryError>?
    }

    private let state: Lock<State>
    /// Releases what the slot keeps.
    private let discard: @Sendable () -> Void
    let cancellation: CancellationFlag

    init<Output: Sendable>(
        _ sink: Sink<Output, RepositoryError>, _ slot: Slot<Output>, _ cancellation: CancellationFlag
    ) {
        let receiver = Receiver(
            upstream: { sink.receive(upstream: $0) }, value: { _ = sink.receive(slot.take()) },
            completion: { sink.receive(completion: $0) })
        state = Lock(State(receiver: receiver))
        discard = { slot.empty() }
        self.cancellation = cancellation
    }

    init(_ sink: Sink<Void, Never>) {
        let receiver = Receiver(
            upstream: { sink.receive(upstream: $0) }, value: { _ = sink.receive(()) },
            completion: { _ in sink.receive(completion: .finished) })
        state = Lock(State(receiver: receiver))
        discard = {}
        cancellation = CancellationFlag()
    }

    /// Gives the sink its upstream, and then starts the work.
    func start(_ work: (OneShot) -> Void) {
        guard let receiver = state.withLock({ $0.receiver }) else { return }
        receiver.upstream(
            Upstream(
                request: { [self] in if $0.needed > .none { request() } },
                cancel: { [self] in cancel() }))
        if !cancellation.isCancelled { work(self) }
    }

    /// Takes the outcome; called once, on any queue.
    func finish(_ outcome: Result<Void, RepositoryError>) {
        Delivery.schedule(take(outcome))
    }

    /// Takes the outcome, and returns its delivery, if it is due, or the release of the value, if nobody wants it.
    func take(_ outcome: Result<Void, RepositoryError>) -> (@Sendable () -> Void)? {
        let isDue = state.withLock { state in
            state.outcome = outcome
            return state.isReady || state.receiver == nil
        }
        guard isDue else { return nil }
        return { self.deliver() }
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
            (state.receiver, state.outcome) = (nil, nil)
            return released
        }
        // While the work runs, what it comes to must not lose its last reference there.
        if released.outcome != nil { discard() }
        withExtendedLifetime(released) {}
    }

    private func deliver() {
        let ready = state.withLock { state in
            defer { (state.receiver, state.outcome) = (nil, nil) }
            return state
        }
        if let receiver = ready.receiver, let outcome = ready.outcome {
            switch outcome {
            case .success:
                receiver.value()
                if !cancellation.isCancelled { receiver.completion(.finished) }
            case .failure(let error):
                receiver.completion(.failure(error))
            }
        }
        discard()
    }
}

extension OneShot.State {
    fileprivate var isReady: Bool {
        switch outcome {
        case .success: isWanted && receiver != nil
        case .failure: receiver != nil
        case nil: false
        }
    }
}
