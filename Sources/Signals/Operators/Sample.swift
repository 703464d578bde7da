extension Signal {
    /// Returns a signal that delivers the upstream's latest value each time another signal delivers, but no value
    /// twice.
    ///
    /// ```swift
    /// let position = Broadcast<Int, Never>(), frame = Broadcast<Void, Never>()
    /// let token = position.signal.sample(by: frame.signal).sink { print($0) }
    /// for number in 1...3 { position.send(number) }
    /// frame.send()  // 3
    /// frame.send()  // nothing, since there is no newer one
    /// ```
    ///
    /// - Delivery: at most one value for each value of the other signal, on the thread of the other signal. When either
    ///   signal finishes, the operator delivers the latest value if it was not sampled yet, and finishes. It buffers
    ///   that value and, for a sink without demand, the latest sample. Demand on both signals is unlimited.
    /// - Failure: the first failure of either signal. The operator cancels the signal that did not fail. It drops a
    ///   value that was not sampled yet, and reports it to `DiscardHook`.
    public func sample<Other: Sendable>(by other: Signal<Other, Failure>) -> Signal {
        Signal(trusted: { next in Sampler(next).start(self, other) }).conflate()
    }

    /// Applies `sample(by:)` with another signal that cannot fail.
    ///
    /// - Failure: the upstream's.
    @_disfavoredOverload
    public func sample<Other: Sendable>(by other: Signal<Other, Never>) -> Signal {
        sample(by: other.setFailureType(to: Failure.self))
    }
}

extension Signal where Failure == Never {
    /// Applies `sample(by:)` to a signal that cannot fail, with another signal that can fail.
    ///
    /// - Failure: the other signal's.
    @_disfavoredOverload
    public func sample<Trigger: Sendable, Other: Error>(by other: Signal<Trigger, Other>) -> Signal<Value, Other> {
        setFailureType(to: Other.self).sample(by: other)
    }
}

/// One run of `sample(by:)`.
///
/// Both signals may deliver at the same time, so the events of both pass through the inbox.
private final class Sampler<Value: Sendable, Failure: Error>: Engine {
    enum Event {
        case value(Value)
        case sample
        case end(Completion<Failure>)
        case release
    }

    /// The sink, and the latest value if it was not sampled yet.
    ///
    /// Only the processing of an event changes them.
    private let state: Serial<(next: Sink<Value, Failure>?, latest: Value?)>
    let inbox = Inbox<Event>()
    private let upstream = SignalToken()
    private let other = SignalToken()

    init(_ next: Sink<Value, Failure>) { state = Serial((next, nil)) }

    /// Attaches both signals in turn, and stops as soon as the run has ended or been cancelled.
    func start<Other: Sendable>(_ signal: Signal<Value, Failure>, _ sampler: Signal<Other, Failure>) {
        state.state.next?.receive(
            upstream: Upstream(
                request: { _ in },
                cancel: { [self] in
                    cancelBoth()
                    control(.release)
                }))
        if upstream.isEnded { return }
        signal.sink(
            cancelledBy: upstream, onValue: { [self] in inbox.submit(.value($0), to: self) },
            onCompletion: { [self] in inbox.submit(.end($0), to: self) })
        if other.isEnded { return }
        sampler.sink(
            cancelledBy: other, onValue: { [self] _ in inbox.submit(.sample, to: self) },
            onCompletion: { [self] in inbox.submit(.end($0), to: self) })
    }

    func settle() {}

    func process(_ event: Event) {
        switch event {
        case .value(let value): if state.state.next != nil { state.state.latest = value }
        case .sample: deliverLatest()
        case .end(let completion): end(completion)
        case .release: state.state = (nil, nil)
        }
    }

    private func deliverLatest() {
        guard let value = state.state.latest.take() else { return }
        _ = state.state.next?.receive(value)
    }

    private func end(_ completion: Completion<Failure>) {
        if state.state.next == nil { return DiscardHook.report(late: completion, stage: "sample") }
        switch completion {
        case .finished: deliverLatest()
        case .failure:
            if let lost = state.state.latest.take() { DiscardHook.report(lost, .siblingFailed, stage: "sample") }
        }
        let last = state.state.next.take()
        cancelBoth()
        last?.receive(completion: completion)
    }

    private func cancelBoth() {
        upstream.cancel()
        other.cancel()
    }
}
