/// The subscription of one sink to a hot source.
///
/// It counts the sink's demand, and keeps values that are not requested.
///
/// `sink` is a constant, because each delivery would have to retain a variable's value. So the sink is released only
/// together with the outlet.
@usableFromInline
final class Outlet<Value: Sendable, Failure: Error>: @unchecked Sendable {
    // Safe because `waiting`, `ending` and `index` are confined to the inbox of the hub, `demand` is atomic, and the
    // other properties are constant.
    @usableFromInline let sink: Sink<Value, Failure>
    @usableFromInline let demand = DemandCounter()
    @usableFromInline @exclusivity(unchecked) var waiting: RingBuffer<Value>?
    @usableFromInline var ending: Completion<Failure>?
    /// The outlet's index in the hub's list, or -1 if it is not in the list.
    @usableFromInline var index = -1
    @usableFromInline let bufferSize: Int
    @usableFromInline let dropsOldest: Bool
    @usableFromInline let stage: StaticString
    @usableFromInline let handle = Handle()

    /// The reference through which a sink's upstream reaches the outlet, until the run is cancelled or has ended.
    @usableFromInline
    struct Handle: Sendable {
        @usableFromInline let held = Lock<(outlet: Outlet?, hub: Hub<Value, Failure>?)>((nil, nil))

        @inlinable
        init() {}

        @inlinable
        func hold(_ new: Outlet) { held.withLock { $0.outlet = new } }

        /// Retains an ended hub until the buffered values are delivered, in case nothing else retains the hub.
        @inlinable
        func keep(_ hub: Hub<Value, Failure>) { held.withLock { if $0.outlet != nil { $0.hub = hub } } }

        @inlinable
        func current() -> Outlet? { held.withLock { $0.outlet } }

        @inlinable
        @discardableResult
        func release() -> Outlet? {
            let released = held.withLock { held in
                defer { held = (nil, nil) }
                return held
            }
            return released.outlet
        }
    }

    @inlinable
    init(_ sink: Sink<Value, Failure>, bufferSize: Int, dropsOldest: Bool = false, stage: StaticString) {
        self.sink = sink
        self.stage = stage
        self.bufferSize = bufferSize
        self.dropsOldest = dropsOldest
        handle.hold(self)
    }

    /// Returns a closed outlet, which fills the gaps of a list.
    @inlinable
    static func closed() -> Outlet {
        let nobody = Sink<Value, Failure>(onUpstream: { _ in }, onValue: { _ in .none }, onCompletion: { _ in })
        let closed = Outlet(nobody, bufferSize: 0, stage: "Broadcast")
        closed.release()
        return closed
    }

    /// Whether the outlet may hold values, so that a request must check for them.
    @inlinable var keepsValues: Bool { bufferSize > 0 }

    @inlinable @inline(__always)
    func deliver(_ value: Value) {
        if waiting == nil && demand.isUnlimited {
            _ = sink.receive(value)
        } else {
            deliverWithinDemand(value)
        }
    }

    @inlinable
    func deliverWithinDemand(_ value: Value) {
        if demand.isClosed { return }
        if waiting == nil && demand.takeOne() { return pass(value) }
        guard bufferSize > 0 else { return DiscardHook.report(value, .overflow, stage: stage) }
        var queue = waiting.take() ?? RingBuffer()
        var dropped: Value?
        if queue.count < bufferSize {
            queue.append(value)
        } else if dropsOldest {
            dropped = queue.popFirst()
            queue.append(value)
        } else {
            dropped = value
        }
        waiting = queue
        // If the buffer holds only the latest value, a newer value replaces it without a report.
        if let dropped, !(dropsOldest && bufferSize == 1) { DiscardHook.report(dropped, .overflow, stage: stage) }
    }

    @inlinable
    func pass(_ value: Value) {
        let more = sink.receive(value)
        if more > .none { demand.add(more) }
    }

    /// Whether a request has nothing to deliver.
    @inlinable var isIdle: Bool { waiting == nil && ending == nil }

    /// Removes and returns the buffered values and the completion, so that the caller releases them.
    @inlinable
    func takeWaiting() -> (RingBuffer<Value>?, Completion<Failure>?) { (waiting.take(), ending.take()) }

    /// Delivers as many buffered values as were requested, and the completion after the last of them.
    @inlinable
    func flush() {
        while waiting?.isEmpty == false, demand.takeOne() {
            if let value = waiting?.popFirst() { pass(value) }
        }
        if waiting?.isEmpty == true { waiting = nil }
        if waiting == nil, let ending, demand.close() {
            handle.release()
            sink.receive(completion: ending)
        }
    }

    @inlinable
    func end(_ completion: Completion<Failure>) {
        ending = completion
        flush()
    }

    /// Releases the buffered values after a cancel.
    @inlinable
    func release() {
        demand.close()
        handle.release()
        waiting = nil
    }
}
