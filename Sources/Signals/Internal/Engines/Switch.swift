import Synchronization

/// One run of `switchToLatest` or `flatMapFirst`.
///
/// It follows one inner signal at a time, and requests exactly the outstanding demand from this signal.
///
/// The outer and the inner signals may deliver on different threads, so all their events pass through the inbox. Each
/// event of an inner signal has the signal's number, so that events of a replaced signal are ignored. An inner signal
/// is attached outside the inbox, because it may deliver at once.
@usableFromInline
final class Switch<Value: Sendable, Failure: Error>: Engine, @unchecked Sendable {
    @usableFromInline
    enum Event {
        case began(Int)
        case value(Value, Int)
        case innerEnd(Completion<Failure>, Int)
        case outerEnd(Completion<Failure>)
        case release
    }

    // Safe because these variables are confined to `inbox`, and the other properties are constant or atomic.
    private var next: Sink<Value, Failure>?
    private let stage: StaticString
    private var isFollowing = false
    private var outerEnded = false

    private let current = Atomic(0)
    /// For `flatMapFirst`: whether an inner signal has begun, and its end has not been processed yet.
    private let isBusy = Atomic(false)
    @usableFromInline let inbox = Inbox<Event>()
    private let outer = Attachment()
    private let arbiter = Arbiter()
    private let pendingDemand = PendingDemand()

    @usableFromInline
    init(_ next: Sink<Value, Failure>, stage: StaticString) { (self.next, self.stage) = (next, stage) }

    @usableFromInline
    func receive(upstream: Upstream) {
        guard outer.receive(upstream: upstream) else { return }
        next?.receive(
            upstream: Upstream(
                request: { [self] in
                    pendingDemand.add($0)
                    settleUnlessBusy()
                },
                cancel: { [self] in
                    arbiter.cancel()
                    outer.cancel()
                    control(.release)
                }))
        if !outer.isClosed { upstream.request(.unlimited) }
    }

    /// Replaces the inner signal.
    ///
    /// The outer upstream calls this, one call at a time.
    @usableFromInline
    func follow(_ inner: Signal<Value, Failure>) {
        if outer.isClosed { return }
        let (number, old) = arbiter.turn()
        current.store(number, ordering: .releasing)
        old?.cancel()
        inbox.submit(.began(number), to: self)
        inner.run(
            into: Sink(
                onUpstream: { [self] in arbiter.receive(upstream: $0, turn: number) },
                onValue: { [self] in
                    inbox.submit(.value($0, number), to: self)
                    return .none
                },
                onCompletion: { [self] in inbox.submit(.innerEnd($0, number), to: self) }))
    }

    @usableFromInline
    func followUnlessFollowing(_ make: () -> Signal<Value, Failure>) {
        if !isBusy.exchange(true, ordering: .acquiringAndReleasing) { follow(make()) }
    }

    @usableFromInline
    func end(_ completion: Completion<Failure>) { inbox.submit(.outerEnd(completion), to: self) }

    @usableFromInline
    func settle() { arbiter.request(pendingDemand.take()) }

    private func isCurrent(_ number: Int) -> Bool { number == current.load(ordering: .acquiring) && next != nil }

    @usableFromInline
    func process(_ event: Event) {
        switch event {
        case .began(let number): if isCurrent(number) { isFollowing = true }
        case .value(let value, let number):
            guard isCurrent(number), arbiter.take(turn: number), let next else { return }
            pendingDemand.add(next.receive(value))
        case .innerEnd(let completion, let number):
            guard isCurrent(number) else { return DiscardHook.report(late: completion, stage: stage) }
            isFollowing = false
            arbiter.dropUpstream(turn: number)
            isBusy.store(false, ordering: .releasing)
            if case .failure = completion { finish(completion) } else if outerEnded { finish(.finished) }
        case .outerEnd(let completion):
            outerEnded = true
            if case .failure = completion { finish(completion) } else if !isFollowing { finish(.finished) }
        case .release: if outer.isClosed { next = nil }
        }
    }

    private func finish(_ completion: Completion<Failure>) {
        guard let last = next.take() else { return DiscardHook.report(late: completion, stage: stage) }
        guard outerEnded ? outer.end() : !outer.isClosed else { return }
        outer.cancel()
        arbiter.cancel()
        last.receive(completion: completion)
    }
}

extension Signal {
    /// Runs the signal through a `Switch`.
    ///
    /// For each value, `onValue` selects the signal that the switch follows next.
    @inlinable
    func switching<Output: Sendable>(
        _ stage: StaticString, _ onValue: @escaping @Sendable (Switch<Output, Failure>, Value) -> Void
    ) -> Signal<Output, Failure> {
        lift { next in
            let follower = Switch(next, stage: stage)
            return Sink(
                onUpstream: { follower.receive(upstream: $0) },
                onValue: {
                    onValue(follower, $0)
                    return .none
                },
                onCompletion: { follower.end($0) })
        }
    }
}
