import Synchronization

/// One run of `receive(on:)`: values wait in order until one job on the scheduler delivers all that have come by then.
///
/// One job serves a burst, so the order holds on a concurrent queue too, and a burst costs one hop. Demand is passed
/// on as it is, so what waits is bounded by what was requested.
@usableFromInline
final class Hop<Value: Sendable, Failure: Error>: @unchecked Sendable {
    @usableFromInline
    enum Event {
        case value(Value)
        case end(Completion<Failure>)
        case release
    }

    // Safe because `next` is confined to `inbox`, and the rest is constant or atomic.
    @usableFromInline @exclusivity(unchecked) var next: Exit<Value, Failure>?
    @usableFromInline let inbox = Inbox<Event>()
    @usableFromInline let isScheduled = Atomic(false)
    @usableFromInline let attachment = Attachment()
    @usableFromInline let owed = Debt()
    @usableFromInline let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void

    @inlinable
    init(
        _ next: Sink<Value, Failure>, schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.next = Exit(next)
        self.schedule = schedule
    }

    @inlinable
    func receive(upstream: Upstream) {
        guard attachment.receive(upstream: upstream) else { return }
        next?.sink.receive(
            upstream: Upstream(
                request: { [self] in attachment.request($0) },
                cancel: { [self] in
                    attachment.cancel()
                    // Behind the values that wait, so that these are released now, not when the scheduler comes.
                    inbox.enqueue(.release)
                    inbox.work { process($0) }
                }))
    }

    /// Stores an event for the job on the scheduler, and schedules that unless it is on its way.
    @inlinable
    func receive(_ event: Event) {
        inbox.enqueue(event)
        if !isScheduled.exchange(true, ordering: .acquiringAndReleasing) { schedule { self.deliver() } }
    }

    @inlinable
    func deliver() {
        repeat {
            if inbox.work({ process($0) }) { attachment.request(owed.take()) }
            isScheduled.store(false, ordering: .releasing)
            // What came before the store saw a job on its way, so this one sees to it.
        } while !inbox.isEmpty && !isScheduled.exchange(true, ordering: .acquiringAndReleasing)
    }

    @inlinable
    func process(_ event: Event) {
        switch event {
        case .value(let value):
            guard !attachment.isClosed, let next else { return }
            owed.add(next.receive(value))
        case .end(let completion):
            guard attachment.end() else { return }
            let last = next.take()
            last?.sink.receive(completion: completion)
        case .release: next = nil
        }
    }
}
