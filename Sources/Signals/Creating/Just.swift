extension Signal {
    /// Returns a signal of one value, which then finishes.
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
                let run = JustRun(value, sink)
                sink.receive(upstream: Upstream(request: { _ in run.deliver() }, cancel: { run.cancel() }))
            }, single: value)
    }
}

/// One run of `just`; a single object, since a signal of one value is what `flatMap` is given most often.
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
    func deliver() {
        guard demand.add(.max(1)) == Demand.none else { return }
        _ = sink.receive(value)
        if demand.close() { sink.receive(completion: .finished) }
    }

    @inlinable
    func cancel() { demand.close() }
}
