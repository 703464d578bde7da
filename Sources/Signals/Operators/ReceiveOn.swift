import Synchronization

extension Signal {
    /// Returns the same signal, delivered on a scheduler.
    ///
    /// For a closure that sets properties of the main actor, such as `self.films = $0`, use `mainActorSink` instead.
    /// The compiler knows that the closures of `mainActorSink` run on the main actor. It cannot know this for a
    /// scheduler.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...3)
    ///     .receive(on: DispatchQueue.main)
    ///     .sink { print($0) }  // 1 2 3, on the main queue
    /// ```
    ///
    /// - Delivery: values and the end on the scheduler, in order and one at a time, even on a concurrent queue.
    ///   Attaches and requests reach the upstream at once, on the calling thread. No more values wait for the scheduler
    ///   than the sink has requested.
    /// - Failure: the upstream's, after all earlier values.
    @inlinable
    public func receive(on scheduler: some SignalScheduler) -> Signal {
        lift { next in
            let hop = Hop(next, schedule: { scheduler.schedule($0) })
            return Sink(
                onUpstream: { hop.receive(upstream: $0) },
                onValue: {
                    hop.receive(.value($0))
                    return .none
                },
                onCompletion: { hop.receive(.end($0)) })
        }
    }
}

/// One run of `receive(on:)`: events wait in order until one job on the scheduler delivers all events that have
/// arrived.
///
/// A burst of events costs one job. At most one job is scheduled at a time, so the order holds even on a concurrent
/// queue. Demand passes to the upstream unchanged, so no more values wait than the sink has requested.
@usableFromInline
final class Hop<Value: Sendable, Failure: Error>: Engine, @unchecked Sendable {
    @usableFromInline
    enum Event {
        case value(Value)
        case end(Completion<Failure>)
        case release
    }

    // Safe because `receive(upstream:)` reads `next` before any event arrives, and later only the thread that processes
    // `inbox` uses `next`. All other properties are constant or atomic.
    @usableFromInline @exclusivity(unchecked) var next: Exit<Value, Failure>?
    @usableFromInline let inbox = Inbox<Event>()
    @usableFromInline let isScheduled = Atomic(false)
    @usableFromInline let attachment = Attachment()
    @usableFromInline let pendingDemand = PendingDemand()
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
                    // Releases the waiting events now, because the job on the scheduler may run much later.
                    _ = inbox.takeAll()
                    control(.release)
                }))
    }

    /// Stores an event for the job on the scheduler, and schedules the job unless it is already scheduled.
    @inlinable
    func receive(_ event: Event) {
        inbox.enqueue(event)
        if !isScheduled.exchange(true, ordering: .acquiringAndReleasing) { schedule { self.deliver() } }
    }

    @inlinable
    func deliver() {
        repeat {
            if inbox.work({ process($0) }) { settle() }
            isScheduled.store(false, ordering: .releasing)
            // No job was scheduled for an event that arrived while `isScheduled` was true, so this job delivers it.
        } while !inbox.isEmpty && !isScheduled.exchange(true, ordering: .acquiringAndReleasing)
    }

    @inlinable
    func settle() { attachment.request(pendingDemand.take()) }

    @inlinable
    func process(_ event: Event) {
        switch event {
        case .value(let value):
            guard !attachment.isClosed, let next else { return }
            pendingDemand.add(next.receive(value))
        case .end(let completion):
            guard attachment.end() else { return }
            let last = next.take()
            last?.sink.receive(completion: completion)
        case .release: next = nil
        }
    }
}
