/// The end of a hot source towards one sink: counts its demand, and keeps what it cannot take yet.
///
/// The sink is constant, so that a delivery takes no reference of its own: letting go of the sink is letting go of the
/// outlet.
@usableFromInline
final class Outlet<Value: Sendable, Failure: Error>: @unchecked Sendable {
    // Safe because `waiting` and `ending` are confined to the drain of the hub, `demand` is atomic, and the rest is
    // constant.
    @usableFromInline let sink: Sink<Value, Failure>
    @usableFromInline let demand = DemandCounter()
    @usableFromInline @exclusivity(unchecked) var waiting: RingBuffer<Value>?
    private var ending: Completion<Failure>?
    private let backlog: Backlog
    let handle: Handle

    /// What the upstream of the sink holds: the outlet, until it is cancelled or over.
    final class Handle: Sendable {
        private let held = Lock<(outlet: Outlet?, owner: Hub<Value, Failure>?)>((nil, nil))

        func hold(_ new: Outlet) { held.withLock { $0.outlet = new } }
        /// Keeps a hub that has ended, and that nobody else may hold, until what waits has been asked for.
        func keep(_ hub: Hub<Value, Failure>) { held.withLock { if $0.outlet != nil { $0.owner = hub } } }
        func current() -> Outlet? { held.withLock { $0.outlet } }
        @discardableResult
        func letGo() -> Outlet? {
            let released = held.withLock { held in
                defer { held = (nil, nil) }
                return held
            }
            return released.outlet
        }
    }

    init(_ sink: Sink<Value, Failure>, backlog: Backlog) {
        self.sink = sink
        self.backlog = backlog
        handle = Handle()
        handle.hold(self)
    }

    /// Whether a request may find something to deliver.
    var keepsValues: Bool { backlog.capacity > 0 }

    @inlinable @inline(__always)
    func offer(_ value: Value) {
        if waiting == nil && demand.isUnlimited {
            _ = sink.receive(value)
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
        let more = sink.receive(value)
        if more > .none { demand.add(more) }
    }

    /// Delivers what waits, as far as the demand goes, and then the end.
    func flush() {
        while waiting?.isEmpty == false, demand.takeOne() {
            if let value = waiting?.popFirst() { pass(value) }
        }
        if waiting?.isEmpty == true { waiting = nil }
        if waiting == nil, let ending, demand.close() {
            handle.letGo()
            sink.receive(completion: ending)
        }
    }

    func end(_ completion: Completion<Failure>) {
        ending = completion
        flush()
    }

    /// Lets go of what waits, once it is cancelled.
    func release() {
        demand.close()
        handle.letGo()
        waiting = nil
    }
}
