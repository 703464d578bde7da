import Synchronization

/// The part of a stage that may end a run before its upstream does.
///
/// It ends right after a delivery, inside which the sink may have cancelled; so it listens for that.
@usableFromInline
final class Cut<State, Value, Failure: Error>: @unchecked Sendable {
    // Safe because signals to one sink never overlap and each happens before the next (S7): both are touched only while
    // the stage is being delivered to.
    @usableFromInline var upstream: Upstream?
    @usableFromInline @exclusivity(unchecked) var state: State
    @usableFromInline let next: Sink<Value, Failure>
    @usableFromInline let isCancelled = Atomic(false)

    @inlinable
    init(_ next: Sink<Value, Failure>, _ state: State) {
        self.next = next
        self.state = state
    }

    @inlinable
    func receive(upstream: Upstream) {
        self.upstream = upstream
        next.receive(
            upstream: Upstream(
                request: upstream.onRequest,
                cancel: {
                    self.isCancelled.store(true, ordering: .relaxed)
                    upstream.cancel()
                }))
    }

    /// Cancels the upstream, then ends unless the sink has cancelled; the source keeps silent from here on.
    @inlinable
    func end(_ completion: Completion<Failure>) -> Demand {
        upstream.take()?.cancel()
        if !isCancelled.load(ordering: .relaxed) { next.receive(completion: completion) }
        return .none
    }
}
