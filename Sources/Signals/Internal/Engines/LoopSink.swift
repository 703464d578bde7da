import Synchronization

/// The sink that feeds an asynchronous loop: it requests values ahead, and keeps them until the loop takes them.
///
/// The signal's events wait in the inbox; only the loop processes them, and takes all waiting events at once.
@usableFromInline
final class LoopSink<Value: Sendable, Failure: Error>: @unchecked Sendable {
    @usableFromInline typealias Outcome = Result<Value?, Failure>

    @usableFromInline enum Event {
        case value(Value)
        case end(Completion<Failure>)
    }

    // Safe because `signal`, `values`, `ending`, `taken` and `left` are used only by the loop, and the rest is constant
    // or thread-safe.
    @usableFromInline @exclusivity(unchecked) var signal: Signal<Value, Failure>?
    @usableFromInline @exclusivity(unchecked) var values = RingBuffer<Value>()
    @usableFromInline @exclusivity(unchecked) var ending: Completion<Failure>?
    /// The number of values that the loop has taken since the last request to the upstream.
    @usableFromInline @exclusivity(unchecked) var taken = 0
    /// The number of values that the loop may still take before it must yield.
    @usableFromInline @exclusivity(unchecked) var left: Int
    @usableFromInline let prefetch: Int
    /// The number of taken values after which more values are requested.
    @usableFromInline let half: Int
    /// The number of values that the loop may take between two yields of its actor and its thread.
    @usableFromInline let stretch: Int
    @usableFromInline let inbox = Inbox<Event>()
    @usableFromInline let attachment = Attachment()
    @usableFromInline let isCancelled = Atomic(false)
    @usableFromInline let wake = Wake()

    @inlinable
    init(_ signal: Signal<Value, Failure>, prefetch: Int, stretch: Int) {
        self.signal = signal
        self.prefetch = prefetch
        half = prefetch - prefetch / 2
        self.stretch = stretch
        left = stretch
    }

    /// Attaches the signal and requests its first values, unless that was already done.
    @inlinable
    func begin() {
        guard let signal = signal.take(), !attachment.isClosed else { return }
        signal.run(
            into: Sink(
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

    /// Takes the next value or the completion; returns nil if neither has arrived.
    @inlinable
    func take() -> Outcome? {
        if isCancelled.load(ordering: .acquiring) {
            _ = values.removeAll()
            return .success(nil)
        }
        if values.isEmpty { inbox.work { process($0) } }
        guard let value = values.popFirst() else { return takeEnd() }
        taken &+= 1
        left &-= 1
        if taken >= half && ending == nil { refill() }
        return .success(value)
    }

    /// Takes the completion; returns nil if it has not arrived.
    ///
    /// After a failure, later calls return a finish.
    @inlinable
    func takeEnd() -> Outcome? {
        guard let ending else { return nil }
        guard case .failure(let failure) = ending else { return .success(nil) }
        self.ending = .finished
        return .failure(failure)
    }

    /// Requests as many values as were taken, or ends the loop if its task is cancelled.
    ///
    /// Without this check, the loop would notice the cancel only while it waits, and some sources never let it wait.
    @inlinable
    func refill() {
        if Task.isCancelled { return cancel() }
        attachment.request(.max(taken))
        taken = 0
    }

    @inlinable
    func process(_ event: Event) {
        switch event {
        case .value(let value): values.append(value)
        case .end(let completion): ending = completion
        }
    }

    /// Whether the loop must yield, even if a value is available.
    @inlinable var isPauseDue: Bool { left <= 0 }

    /// Waits until an event may be available; begins the run if it has not begun.
    ///
    /// If a pause is due, does not wait, but yields the loop's thread and actor once. Without pauses, and with a source
    /// that always has a value, no other work on the actor would get a turn.
    @inlinable
    func rest() async {
        let isPause = isPauseDue
        left = stretch
        if isPause { return await Task.yield() }
        begin()
        await withTaskCancellationHandler {
            await wake.wait()
        } onCancel: {
            cancel()
        }
    }

    /// Ends the loop, even while it waits, and releases the run.
    @inlinable
    func cancel() {
        attachment.cancel()
        isCancelled.store(true, ordering: .releasing)
        wake.wake()
    }
}
