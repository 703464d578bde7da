import Synchronization

/// The end of a chain that feeds a waiting loop: it requests some values ahead, and keeps them until the loop takes
/// them.
///
/// What the signal delivers is left in the inbox; only the loop works there, and takes everything that waits at once.
@usableFromInline
final class LoopSink<Value: Sendable, Failure: Error>: @unchecked Sendable {
    @usableFromInline typealias Outcome = Result<Value?, Failure>

    @usableFromInline enum Event {
        case value(Value)
        case end(Completion<Failure>)
    }

    // Safe because `signal`, `values`, `ending` and `taken` are touched only by the loop, and the rest is constant,
    // atomic or guarded by itself.
    @usableFromInline @exclusivity(unchecked) var signal: Signal<Value, Failure>?
    @usableFromInline @exclusivity(unchecked) var values = RingBuffer<Value>()
    @usableFromInline @exclusivity(unchecked) var ending: Completion<Failure>?
    /// Values taken since the last request to the upstream, and since the loop last gave its thread up.
    @usableFromInline @exclusivity(unchecked) var taken = (sinceRequest: 0, sincePause: 0)
    @usableFromInline let prefetch: Int
    /// How many values the loop may take without giving its thread, and with it its actor, up.
    @usableFromInline let stretch: Int
    @usableFromInline let inbox = Inbox<Event>()
    @usableFromInline let attachment = Attachment()
    @usableFromInline let isCancelled = Atomic(false)
    @usableFromInline let wake = Wake()

    @inlinable
    init(_ signal: Signal<Value, Failure>, prefetch: Int, stretch: Int) {
        self.signal = signal
        self.prefetch = prefetch
        self.stretch = stretch
    }

    /// Attaches the signal and requests its first values, unless that was already done.
    @inlinable
    func begin() {
        guard let signal = signal.take(), !attachment.isClosed else { return }
        signal.attach(
            Sink(
                onUpstream: {
                    if self.attachment.receive(upstream: $0) { self.attachment.request(.max(self.prefetch)) }
                },
                onValue: { value in
                    if !self.attachment.isClosed { self.leave(.value(value)) }
                    return .none
                },
                onCompletion: { completion in
                    if self.attachment.end() { self.leave(.end(completion)) }
                }))
    }

    @inlinable
    func leave(_ event: Event) {
        inbox.enqueue(event)
        wake.wake()
    }

    /// Takes what is available without waiting: a value, or the end.
    @inlinable
    func take() -> Outcome? {
        if isCancelled.load(ordering: .acquiring) {
            _ = values.removeAll()
            return .success(nil)
        }
        if values.isEmpty { inbox.work { process($0) } }
        guard let value = values.popFirst() else { return takeEnd() }
        taken.sinceRequest += 1
        taken.sincePause += 1
        if taken.sinceRequest * 2 >= prefetch && ending == nil { refill() }
        return .success(value)
    }

    /// Takes the end, if it has arrived: a failure once, and nothing if the loop asks again.
    @inlinable
    func takeEnd() -> Outcome? {
        guard let ending else { return nil }
        guard case .failure(let failure) = ending else { return .success(nil) }
        self.ending = .finished
        return .failure(failure)
    }

    /// Requests as many values as were taken; ends the loop if its task is cancelled, because with a source that always
    /// has a value available the loop never waits, which is where cancellation would be noticed.
    @inlinable
    func refill() {
        if Task.isCancelled { return cancel() }
        attachment.request(.max(taken.sinceRequest))
        taken.sinceRequest = 0
    }

    @inlinable
    func process(_ event: Event) {
        switch event {
        case .value(let value): values.append(value)
        case .end(let completion): ending = completion
        }
    }

    /// Waits until there may be something to take; begins the run if it has not begun.
    @inlinable
    func wait() async {
        begin()
        taken.sincePause = 0
        await wake.wait()
    }

    /// Whether it is time to `pause`.
    @inlinable var isPauseDue: Bool { taken.sincePause >= stretch }

    /// Lets others have the thread, and the actor, of the loop: a source that always has a value never makes it wait.
    @inlinable
    func pause() async {
        taken.sincePause = 0
        await Task.yield()
    }

    /// Ends the loop, even while it waits, and releases the run.
    @inlinable
    func cancel() {
        attachment.cancel()
        isCancelled.store(true, ordering: .releasing)
        wake.wake()
    }
}
