/// One run of a source that makes its values on request, such as a sequence or `unfold`.
///
/// `answer` is always inlined into the closure that serves `request`, because only there can the compiler see the sink
/// and fuse the chain into the loop.
@usableFromInline
final class PullRun<State, Value: Sendable, Failure: Error>: @unchecked Sendable {
    // Safe because only the thread that raised `demand` from none uses `progress`, until `demand` is none again.
    //
    // `progress` is a separate object, because ThreadSanitizer treats a change of a property as a change of the whole
    // object. Other threads access this object to reach `demand`.
    @usableFromInline let progress: Serial<Progress>
    @usableFromInline let demand = DemandCounter()

    @usableFromInline
    struct Progress {
        @usableFromInline var state: State
        @usableFromInline var ahead: Value?

        @inlinable
        init(_ state: State) { self.state = state }
    }

    @inlinable
    init(_ state: State) { progress = Serial(Progress(state)) }

    /// Makes the first value before the sink can request it, and returns it.
    @inlinable
    func lookAhead(_ next: (inout State) -> Value?) -> Value? {
        progress.state.ahead = next(&progress.state.state)
        return progress.state.ahead
    }

    /// Gives an upstream to a sink that requests all values at once, and then delivers all values.
    ///
    /// The upstream only counts the request, so its closure does not hold the sink.
    @inlinable @inline(__always)
    func serveAll(_ sink: Sink<Value, Failure>, next: (inout State) throws(Failure) -> Value?) {
        sink.receive(upstream: Upstream(request: { self.demand.add($0) }, cancel: { self.demand.close() }))
        guard demand.isUnlimited else { return }
        if let ahead = progress.state.ahead.take() { _ = sink.receive(ahead) }
        do throws(Failure) {
            try deliverAll(to: sink, next: next)
        } catch {
            if demand.close() { sink.receive(completion: .failure(error)) }
        }
    }

    /// Delivers the requested values.
    ///
    /// If a delivery is in progress, the loop of that delivery also serves this request.
    @inlinable @inline(__always)
    func answer(
        _ requested: Demand, _ sink: Sink<Value, Failure>, lookingAhead: Bool,
        next: (inout State) throws(Failure) -> Value?
    ) {
        let requested = requested.needed
        guard requested > .none, demand.add(requested) == Demand.none else { return }
        do throws(Failure) {
            if requested.isUnlimited && progress.state.ahead == nil {
                try deliverAll(to: sink, next: next)
            } else {
                try deliver(requested, to: sink, lookingAhead: lookingAhead, next: next)
            }
        } catch {
            if demand.close() { sink.receive(completion: .failure(error)) }
        }
    }

    @inlinable @inline(__always)
    func deliverAll(
        to sink: Sink<Value, Failure>, next: (inout State) throws(Failure) -> Value?
    ) throws(Failure) {
        // A local copy can live in registers. Nothing else reads the state of a run with unlimited demand.
        var state = progress.state.state
        while !demand.isClosed {
            guard let value = try next(&state) else { return finish(sink) }
            _ = sink.receive(value)
        }
    }

    /// Delivers the values for one request.
    ///
    /// Not inlined into `answer`, because if it were inlined, the compiler would not fuse the chain.
    @inlinable @inline(never)
    func deliver(
        _ requested: Demand, to sink: Sink<Value, Failure>, lookingAhead: Bool,
        next: (inout State) throws(Failure) -> Value?
    ) throws(Failure) {
        if requested.isUnlimited, let ahead = progress.state.ahead.take() {
            _ = sink.receive(ahead)
            return try deliverAll(to: sink, next: next)
        }
        var allowed = requested
        repeat {
            var delivered = 0
            while delivered < allowed.count {
                if demand.isClosed { return }
                if progress.state.ahead == nil { progress.state.ahead = try next(&progress.state.state) }
                guard let value = progress.state.ahead.take() else { return finish(sink) }
                let more = sink.receive(value)
                delivered += 1
                if more > .none {
                    let more = more.needed
                    demand.add(more)
                    allowed += more
                }
            }
            if lookingAhead && !demand.isClosed {
                progress.state.ahead = try next(&progress.state.state)
                if progress.state.ahead == nil { return finish(sink) }
            }
            allowed = demand.subtract(delivered)
        } while allowed > .none
    }

    @inlinable
    func finish(_ sink: Sink<Value, Failure>) {
        if demand.close() { sink.receive(completion: .finished) }
    }
}
