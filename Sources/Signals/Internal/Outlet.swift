/// The end of a hot source towards one sink: counts its demand, and keeps what it cannot take yet.
@usableFromInline
final class Outlet<Value: Sendable, Failure: Error>: @unchecked Sendable {
    // Safe because `sink`, `waiting` and `ending` are confined to the drain of the hub, and `demand` is atomic.
    @usableFromInline var sink: Sink<Value, Failure>?
    @usableFromInline var waiting: RingBuffer<Value>?
    private var ending: Completion<Failure>?
    private let backlog: Backlog
    @usableFromInline let demand = DemandCounter()

    init(_ sink: Sink<Value, Failure>, backlog: Backlog) {
        self.sink = sink
        self.backlog = backlog
    }

    /// Whether a request may find something to deliver.
    var keepsValues: Bool { backlog.capacity > 0 }

    @inlinable
    func offer(_ value: Value) {
        if waiting == nil && demand.isUnlimited {
            _ = sink?.receive(value)
        } else {
            offerWithinDemand(value)
        }
    }

    @usableFromInline
    func offerWithinDemand(_ value: Value) {
        if demand.isClosed { return }
        if waiting == nil && demand.takeOne() { return pass(value) }
        guard backlog.capacity > 0 else { return DiscardHook.report(value, .overflow, stage: "Broadcast") }
        var queue = waiting.take() ?? RingBuffer()
        var dropped: Value?
        if queue.count < backlog.capacity {
            queue.append(value)
        } else if backlog.keepsNewest {
            dropped = queue.popFirst()
            queue.append(value)
        } else {
            dropped = value
        }
        waiting = queue
        if let dropped, backlog != .latest { DiscardHook.report(dropped, .overflow, stage: "Broadcast") }
    }

    private func pass(_ value: Value) {
        guard let more = sink?.receive(value), more > .none else { return }
        demand.add(more)
    }

    /// Delivers what waits, as far as the demand goes, and then the end.
    func flush() {
        while let queue = waiting, !queue.isEmpty, demand.takeOne() {
            let value = waiting?.popFirst()
            if let value { pass(value) }
        }
        if waiting?.isEmpty == true { waiting = nil }
        if waiting == nil, let ending, demand.close() {
            let last = sink.take()
            last?.receive(completion: ending)
        }
    }

    func end(_ completion: Completion<Failure>) {
        ending = completion
        flush()
    }

    /// Lets go of everything, once it is cancelled or over.
    func release() {
        demand.close()
        sink = nil
        waiting = nil
    }
}
