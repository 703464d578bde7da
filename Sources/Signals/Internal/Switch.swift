/// One run of `switchToLatest`: follows the newest inner signal, and asks it for exactly what is outstanding.
///
/// The outer and the inner signals may deliver on different threads; all that they deliver passes through the drain,
/// with the number of the inner signal, so that what a replaced one still says is not heard.
@usableFromInline
final class Switch<Value: Sendable, Failure: Error>: @unchecked Sendable {
    private enum Event {
        case inner(Signal<Value, Failure>)
        case upstream(Upstream, Int)
        case value(Value, Int)
        case innerEnd(Completion<Failure>, Int)
        case outerEnd(Completion<Failure>)
        case release
    }

    // Safe because these are confined to `drain`; the rest is constant, atomic or locked.
    private var next: Sink<Value, Failure>?
    private var current = 0
    private var isFollowing = false
    private var outerEnded = false

    private let drain = Drain()
    private let inbox = Lock(RingBuffer<Event>())
    private let outer = Attachment()
    private let arbiter = Arbiter()

    @usableFromInline
    init(_ next: Sink<Value, Failure>) { self.next = next }

    @usableFromInline
    func receive(upstream: Upstream) {
        guard outer.receive(upstream: upstream) else { return }
        next?.receive(
            upstream: Upstream(
                request: { self.arbiter.request($0) },
                cancel: {
                    self.arbiter.cancel()
                    self.outer.cancel()
                    self.submit(.release)
                }))
        if !outer.isClosed { upstream.request(.unlimited) }
    }

    @usableFromInline
    func follow(_ inner: Signal<Value, Failure>) { submit(.inner(inner)) }

    @usableFromInline
    func end(_ completion: Completion<Failure>) { submit(.outerEnd(completion)) }

    private func submit(_ event: Event) {
        inbox.withLock { $0.append(event) }
        drain.run {
            while let event = inbox.withLock({ $0.popFirst() }) { process(event) }
        }
    }

    private func process(_ event: Event) {
        switch event {
        case .inner(let inner): attach(inner)
        case .upstream(let upstream, let number):
            if number == current { arbiter.receive(upstream: upstream) } else { upstream.cancel() }
        case .value(let value, let number):
            guard number == current, let next else { return }
            arbiter.outstanding.subtract(1)
            arbiter.request(next.receive(value))
        case .innerEnd(let completion, let number):
            guard number == current, next != nil else {
                return DiscardHook.report(late: completion, stage: "switchToLatest")
            }
            isFollowing = false
            arbiter.dropUpstream()
            if case .failure = completion { finish(completion) } else if outerEnded { finish(.finished) }
        case .outerEnd(let completion):
            outerEnded = true
            if case .failure = completion { finish(completion) } else if !isFollowing { finish(.finished) }
        case .release: if outer.isClosed { next = nil }
        }
    }

    private func attach(_ inner: Signal<Value, Failure>) {
        guard next != nil else { return }
        current += 1
        isFollowing = true
        let number = current
        arbiter.dropUpstream()?.cancel()
        inner.attach(
            Sink(
                onUpstream: { self.submit(.upstream($0, number)) },
                onValue: {
                    self.submit(.value($0, number))
                    return .none
                },
                onCompletion: { self.submit(.innerEnd($0, number)) }))
    }

    private func finish(_ completion: Completion<Failure>) {
        guard let last = next.take() else { return DiscardHook.report(late: completion, stage: "switchToLatest") }
        if outerEnded { _ = outer.end() } else { outer.cancel() }
        arbiter.cancel()
        last.receive(completion: completion)
    }
}
