/// The part of a stage that can end a run before the upstream ends.
///
/// It ends the run right after a delivery, unless the sink has cancelled, for example inside that delivery. At every
/// end of the run, the attachment releases the upstream, which would otherwise keep its source and this stage alive.
@usableFromInline
final class Cut<State, Value, Failure: Error>: @unchecked Sendable {
    // Safe because only calls to the stage's sink use `state`, and each call happens before the next (Contract.md, S7).
    @usableFromInline @exclusivity(unchecked) var state: State
    @usableFromInline let next: Sink<Value, Failure>
    @usableFromInline let attachment = Attachment()

    @inlinable
    init(_ next: Sink<Value, Failure>, _ state: State) {
        self.next = next
        self.state = state
    }

    /// Stores the upstream and passes it on to `next`, which must be the sink in the property `next`.
    ///
    /// The stage passes `next` from its own closure. If this method read `next` from the object, the compiler would not
    /// fuse the chain into a loop.
    @inlinable @inline(__always)
    func receive(upstream: Upstream, for next: Sink<Value, Failure>) {
        guard attachment.receive(upstream: upstream) else { return }
        next.receive(upstream: Upstream(request: upstream.onRequest, cancel: { self.attachment.cancel() }))
    }

    /// Cancels the upstream and then ends the run; if the sink has already cancelled, delivers nothing.
    ///
    /// A failure after a cancel is reported to `DiscardHook`, with `stage` as the name of the stage.
    @inlinable
    func end(_ completion: Completion<Failure>, stage: StaticString) -> Demand {
        let (closed, upstream) = attachment.close()
        upstream?.cancel()
        if closed {
            next.receive(completion: completion)
        } else {
            DiscardHook.report(late: completion, stage: stage)
        }
        return .none
    }

    /// Passes on the end of an upstream that ended by itself.
    @inlinable
    func pass(_ completion: Completion<Failure>) {
        if attachment.end() { next.receive(completion: completion) }
    }
}
