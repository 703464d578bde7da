/// A hot source without memory: what is sent goes to the sinks that are attached at that moment.
///
/// ```swift
/// let broadcast = Broadcast<Int, Never>()
/// let token = broadcast.signal.sink { print($0) }
/// broadcast.send(1)  // 1
/// broadcast.send(2)  // 2
/// ```
///
/// - Delivery: on the thread that sends, to its sinks in the order in which they attached. A send from inside a
///   delivery, or while another thread delivers, returns at once, and the value is delivered after the one under way;
///   such values wait without bound. A sink without demand is served as `whenBehind` says.
/// - Failure: what is sent with `send(completion:)`. What is sent after the end goes to `DiscardHook`.
/// - Complexity: O(n) per value in the number of sinks.
public final class Broadcast<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let hub: Hub<Value, Failure>

    /// Makes a source; `whenBehind` says what it keeps for a sink without demand.
    public init(whenBehind backlog: Backlog = .drop) { hub = Hub(backlog: backlog) }

    /// The signal of what is sent from the moment it is attached.
    public var signal: Signal<Value, Failure> {
        Signal(trusted: { [hub] sink in hub.attach(sink) })
    }

    /// Sends a value to the attached sinks.
    @inlinable
    public func send(_ value: Value) { hub.send(value) }

    /// Ends the signal for all its sinks, those to come included.
    public func send(completion: Completion<Failure>) { hub.submit(.end(completion)) }
}

extension Broadcast where Value == Void {
    /// Sends the one value there is.
    @inlinable
    public func send() { send(()) }
}
