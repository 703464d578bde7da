extension Signal {
    /// Returns a signal that attaches its failed upstream again when the signal returned by `decide` delivers a value.
    ///
    /// ```swift
    /// struct Offline: Error {}
    /// let isOnline = Broadcast<Bool, Never>()
    /// let patient = Signal<Int, Offline>.fail(Offline()).retry { failures in
    ///     failures.flatMap { _ in isOnline.signal.filter { $0 }.first() }
    /// }
    /// let token = patient.sink { print($0) }  // an attempt now, and one more each time that true is sent
    /// ```
    ///
    /// The operator calls `decide` once for each sink, with a signal of the failures of all attempts. After a failure,
    /// the next value of the signal that `decide` returns starts another attempt. The end of that signal ends the run.
    /// Prefer `retry(_:)`, which counts attempts, or `retry(_:on:)`, which also waits between them, if either suffices.
    ///
    /// - Delivery: the values of every attempt. Each new attempt receives the outstanding demand. The run finishes when
    ///   an attempt finishes. It also finishes when the signal from `decide` finishes, which cancels the attempt in
    ///   progress.
    /// - Failure: only a failure of the signal from `decide`. To make a failure of the upstream final, let that signal
    ///   fail.
    public func retry<Trigger: Sendable, Other: Error>(
        when decide: @escaping @Sendable (Signal<Failure, Never>) -> Signal<Trigger, Other>
    ) -> Signal<Value, Other> {
        Signal<Value, Other>(trusted: { next in Attempts(at: self, for: next).begin(decide) })
    }
}

/// One run of `retry(when:)`.
///
/// An attempt and the signal from `decide` may deliver on different threads, so the events of both pass through the
/// inbox.
final class Attempts<Value: Sendable, Failure: Error, Other: Error>: Engine {
    enum Event {
        case value(Value)
        case attemptEnd(Completion<Failure>)
        case trigger
        case decided(Completion<Other>)
        case release
    }

    private let source: Signal<Value, Failure>
    /// The sink, and whether the run waits for a trigger to start an attempt.
    ///
    /// Only `process` and `end` change them.
    private let state: Serial<(next: Sink<Value, Other>?, isWaiting: Bool)>
    /// Buffers one failure for a sink without demand; the failure of a later attempt replaces it.
    private let failures = Broadcast<Failure, Never>(bufferSize: 1, whenFull: .dropOldest)
    private let decision = SignalToken()
    private let arbiter = Arbiter()
    let inbox = Inbox<Event>()
    private let pendingDemand = PendingDemand()

    init(at source: Signal<Value, Failure>, for next: Sink<Value, Other>) {
        self.source = source
        state = Serial((next, true))
    }

    func begin<Trigger: Sendable>(_ decide: (Signal<Failure, Never>) -> Signal<Trigger, Other>) {
        state.state.next?.receive(
            upstream: Upstream(
                request: { [self] in
                    pendingDemand.add($0)
                    settleUnlessBusy()
                },
                cancel: { [self] in
                    arbiter.cancel()
                    decision.cancel()
                    control(.release)
                }))
        if arbiter.isCancelled { return }
        decide(failures.signal).sink(
            cancelledBy: decision, onValue: { [self] _ in inbox.submit(.trigger, to: self) },
            onCompletion: { [self] in inbox.submit(.decided($0), to: self) })
        control(.trigger)
    }

    private func attempt() {
        source.run(
            into: Sink(
                onUpstream: { [self] in arbiter.receive(upstream: $0) },
                onValue: { [self] in
                    inbox.submit(.value($0), to: self)
                    return .none
                },
                onCompletion: { [self] in inbox.submit(.attemptEnd($0), to: self) }))
    }

    /// Begins the attempt that `prepare` has stored, and requests pending demand.
    ///
    /// An attempt and a request may deliver values before they return, so both happen outside the inbox.
    func settle() {
        arbiter.proceed()
        arbiter.request(pendingDemand.take())
    }

    func process(_ event: Event) {
        guard let next = state.state.next, !arbiter.isCancelled else {
            state.state.next = nil
            return
        }
        switch event {
        case .value(let value):
            arbiter.outstanding.subtract(1)
            pendingDemand.add(next.receive(value))
        case .attemptEnd(let completion):
            arbiter.dropUpstream()
            guard case .failure(let failure) = completion else { return end(.finished) }
            state.state.isWaiting = true
            failures.send(failure)
        case .trigger:
            if state.state.isWaiting { arbiter.prepare { [self] in attempt() } }
            state.state.isWaiting = false
        case .decided(let completion): end(completion)
        case .release: state.state.next = nil
        }
    }

    private func end(_ completion: Completion<Other>) {
        let last = state.state.next.take()
        arbiter.cancel()
        decision.cancel()
        last?.receive(completion: completion)
    }
}
