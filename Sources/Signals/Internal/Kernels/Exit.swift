/// The sink of an engine behind one reference, so that a delivery touches one reference count instead of three.
@usableFromInline
final class Exit<Value, Failure: Error>: Sendable {
    @usableFromInline let sink: Sink<Value, Failure>

    @inlinable
    init(_ sink: Sink<Value, Failure>) { self.sink = sink }

    @inlinable @inline(__always)
    func receive(_ value: Value) -> Demand { sink.receive(value) }
}
