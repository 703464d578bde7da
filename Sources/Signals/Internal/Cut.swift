/// The part of a stage that may end a run before its upstream does.
@usableFromInline
final class Cut<State, Value, Failure: Error>: @unchecked Sendable {
    // Safe because signals to one sink never overlap and each happens before the next (S7): both are touched only while
    // the stage is being delivered to.
    @usableFromInline var upstream: Upstream?
    @usableFromInline @exclusivity(unchecked) var state: State
    @usableFromInline let next: Sink<Value, Failure>

    @inlinable
    init(_ next: Sink<Value, Failure>, _ state: State) {
        self.next = next
        self.state = state
    }

    @inlinable
    func receive(upstream: Upstream) {
        self.upstream = upstream
        next.receive(upstream: upstream)
    }

    /// Cancels the upstream, then ends; the source keeps silent from here on.
    @inlinable
    func end(_ completion: Completion<Failure>) -> Demand {
        upstream.take()?.cancel()
        next.receive(completion: completion)
        return .none
    }
}
