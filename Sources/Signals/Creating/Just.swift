extension Signal {
    /// Returns a signal that delivers one value and finishes.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.just(42).sink { print($0) }  // 42
    /// ```
    ///
    /// - Delivery: on the requesting thread.
    @inlinable
    public static func just(_ value: Value) -> Signal {
        Signal(
            trusted: { sink in
                if sink.requestsAllAtOnce { return serveAll(sink, value) }
                let run = JustRun(value, sink)
                sink.receive(upstream: Upstream(request: { run.deliver($0) }, cancel: { run.cancel() }))
            }, single: value)
    }

    /// Serves a sink that requests all values at once.
    ///
    /// Always inlined, so that the compiler fuses the stages.
    @inlinable @inline(__always)
    static func serveAll(_ sink: Sink<Value, Failure>, _ value: Value) {
        let run = JustClaim()
        sink.receive(upstream: Upstream(request: { run.demand.add($0) }, cancel: { run.demand.close() }))
        guard run.demand.isUnlimited else { return }
        _ = sink.receive(value)
        if run.demand.close() { sink.receive(completion: .finished) }
    }
}

/// The state of a `just` run for a sink that requests all values at once.
///
/// It holds neither the value nor the sink.
@usableFromInline
final class JustClaim: Sendable {
    @usableFromInline let demand = DemandCounter()

    @inlinable
    init() {}
}

/// One run of `just` for a sink without `requestsAllAtOnce`; a single object holds its state, to save allocations.
@usableFromInline
final class JustRun<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let value: Value
    @usableFromInline let sink: Sink<Value, Failure>
    @usableFromInline let demand = DemandCounter()

    @inlinable
    init(_ value: Value, _ sink: Sink<Value, Failure>) {
        self.value = value
        self.sink = sink
    }

    @inlinable
    func deliver(_ requested: Demand) {
        guard requested.needed > .none, demand.add(.max(1)) == Demand.none else { return }
        _ = sink.receive(value)
        if demand.close() { sink.receive(completion: .finished) }
    }

    @inlinable
    func cancel() { demand.close() }
}
