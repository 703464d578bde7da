/// An object with an inbox, through which each value, end, request or cancel passes as an event, one at a time.
@usableFromInline
protocol Engine: AnyObject, Sendable {
    associatedtype Event
    var inbox: Inbox<Event> { get }

    /// Processes an event; only the worker of the inbox calls it.
    func process(_ event: Event)

    /// Requests pending demand from the upstreams; called by a worker after it has left the inbox.
    func settle()
}

extension Inbox {
    /// Submits an event of a sender to an engine: a value or an end.
    ///
    /// It is a method of the inbox, not of the engine, because reading `inbox` through the protocol would cost a call.
    @inlinable @inline(__always)
    func submit<E: Engine>(_ event: Event, to engine: E) where E.Event == Event {
        if submit(event, { engine.process($0) }) { engine.settle() }
    }
}

extension Engine {
    /// Submits the event of a control call: an attach, a request or a cancel.
    @inlinable
    func control(_ event: Event) {
        switch inbox.control(event, { process($0) }) {
        case .left: settle()
        case .elsewhere: break
        case .available:
            settle()
            beginHelp()
        }
    }

    /// Lets a helper process the events that a control call has left available, in case no sender does.
    @usableFromInline
    func beginHelp() {
        Helper.begin { [self] in
            defer { settle() }
            return inbox.processAvailable { process($0) }
        }
    }

    /// Requests pending demand if there is no worker; otherwise, the worker will request it.
    @inlinable
    func settleUnlessBusy() {
        if inbox.drain.findsNoWorker() { settle() }
    }
}

/// The sink of an engine behind one reference, so that a delivery touches one reference count instead of three.
@usableFromInline
final class Exit<Value, Failure: Error>: Sendable {
    @usableFromInline let sink: Sink<Value, Failure>

    @inlinable
    init(_ sink: Sink<Value, Failure>) { self.sink = sink }

    @inlinable @inline(__always)
    func receive(_ value: Value) -> Demand { sink.receive(value) }
}
