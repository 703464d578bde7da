import Synchronization

/// One run of `switchToLatest`: follows the newest inner signal, and asks it for exactly what is outstanding.
///
/// The outer and the inner signals may deliver on different threads; all that they deliver passes through the inbox,
/// with the number of the inner signal, so that what a replaced one still says is not heard. An inner signal is
/// attached outside the inbox, because it may deliver at once.
@usableFromInline
final class Switch<Value: Sendable, Failure: Error>: @unchecked Sendable {
    private enum Event {
        case began(Int)
        case value(Value, Int)
        case innerEnd(Completion<Failure>, Int)
        case outerEnd(Completion<Failure>)
        case release
    }

    // Safe because these are confined to `inbox`; the rest is constant or atomic.
    private var next: Sink<Value, Failure>?
    private var isFollowing = false
    private var outerEnded = false

    private let current = Atomic(0)
    private let inbox = Inbox<Event>()
    private let outer = Attachment()
    private let arbiter = Arbiter()
    private let owed = Debt()

    @usableFromInline
    init(_ next: Sink<Value, Failure>) { self.next = next }

    @usableFromInline
    func receive(upstream: Upstream) {
        guard outer.receive(upstream: upstream) else { return }
        next?.receive(
            upstream: Upstream(
                request: { [self] in
                    owed.add($0)
                    if inbox.work({ process($0) }) { settle() }
                },
                cancel: { [self] in
                    arbiter.cancel()
                    outer.cancel()
                    submit(.release)
                }))
        if !outer.isClosed { upstream.request(.unlimited) }
    }

    /// Replaces the inner signal; called by the outer upstream, one at a time.
    @usableFromInline
    func follow(_ inner: Signal<Value, Failure>) {
        if outer.isClosed { return }
        let (number, old) = arbiter.turn()
        current.store(number, ordering: .releasing)
        old?.cancel()
        submit(.began(number))
        inner.attach(
            Sink(
                onUpstream: { [self] in arbiter.receive(upstream: $0, turn: number) },
                onValue: { [self] in
                    submit(.value($0, number))
                    return .none
                },
                onCompletion: { [self] in submit(.innerEnd($0, number)) }))
    }

    @usableFromInline
    func end(_ completion: Completion<Failure>) { submit(.outerEnd(completion)) }

    private func submit(_ event: Event) {
        if inbox.submit(event, { process($0) }) { settle() }
    }

    private func settle() { arbiter.request(owed.take()) }

    private func isCurrent(_ number: Int) -> Bool { number == current.load(ordering: .acquiring) && next != nil }

    private func process(_ event: Event) {
        switch event {
        case .began(let number): if isCurrent(number) { isFollowing = true }
        case .value(let value, let number):
            guard isCurrent(number), !arbiter.isCancelled, let next else { return }
            arbiter.outstanding.subtract(1)
            owed.add(next.receive(value))
        case .innerEnd(let completion, let number):
            guard isCurrent(number) else { return DiscardHook.report(late: completion, stage: "switchToLatest") }
            isFollowing = false
            arbiter.dropUpstream(turn: number)
            if case .failure = completion { finish(completion) } else if outerEnded { finish(.finished) }
        case .outerEnd(let completion):
            outerEnded = true
            if case .failure = completion { finish(completion) } else if !isFollowing { finish(.finished) }
        case .release: if outer.isClosed { next = nil }
        }
    }

    private func finish(_ completion: Completion<Failure>) {
        guard let last = next.take() else { return DiscardHook.report(late: completion, stage: "switchToLatest") }
        guard outerEnded ? outer.end() : !outer.isClosed else { return }
        outer.cancel()
        arbiter.cancel()
        last.receive(completion: completion)
    }
}
