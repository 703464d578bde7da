/// One run of a source that makes its values only when asked: a sequence, an unfold.
///
/// `answer` is always inlined into the closure that answers `request`, because only there can the compiler see the
/// sink and melt the chain into the loop.
@usableFromInline
final class PullRun<State, Value: Sendable, Failure: Error>: @unchecked Sendable {
    // Safe because all but `demand` is touched only by the thread that took `demand` from none to some, until it is
    // none again.
    @usableFromInline @exclusivity(unchecked) var state: State
    @usableFromInline var ahead: Value?
    @usableFromInline let demand = DemandCounter()

    @inlinable
    init(_ state: State) { self.state = state }

    /// Delivers what was asked; a request made meanwhile is answered by the loop that runs already.
    @inlinable @inline(__always)
    func answer(
        _ asked: Demand, _ sink: Sink<Value, Failure>, lookingAhead: Bool,
        next: (inout State) throws(Failure) -> Value?
    ) {
        guard demand.add(asked) == Demand.none else { return }
        do throws(Failure) {
            if asked.isUnlimited && ahead == nil {
                try deliverAll(to: sink, next: next)
            } else {
                try deliver(asked, to: sink, lookingAhead: lookingAhead, next: next)
            }
        } catch {
            if demand.close() { sink.receive(completion: .failure(error)) }
        }
    }

    @inlinable @inline(__always)
    func deliverAll(
        to sink: Sink<Value, Failure>, next: (inout State) throws(Failure) -> Value?
    ) throws(Failure) {
        // A local copy lives in registers; nobody else looks at the state of a run without limit.
        var state = self.state
        while !demand.isClosed {
            guard let value = try next(&state) else { return finish(sink) }
            _ = sink.receive(value)
        }
    }

    @inlinable
    func deliver(
        _ asked: Demand, to sink: Sink<Value, Failure>, lookingAhead: Bool,
        next: (inout State) throws(Failure) -> Value?
    ) throws(Failure) {
        var allowed = asked
        repeat {
            var delivered = 0
            while delivered < allowed.count {
                if demand.isClosed { return }
                if ahead == nil { ahead = try next(&state) }
                guard let value = ahead.take() else { return finish(sink) }
                let more = sink.receive(value)
                delivered += 1
                if more > .none {
                    demand.add(more)
                    allowed += more
                }
            }
            if lookingAhead && !demand.isClosed {
                ahead = try next(&state)
                if ahead == nil { return finish(sink) }
            }
            allowed = demand.subtract(delivered)
        } while allowed > .none
    }

    @inlinable
    func finish(_ sink: Sink<Value, Failure>) {
        if demand.close() { sink.receive(completion: .finished) }
    }
}
