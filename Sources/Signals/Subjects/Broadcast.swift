/// A hot source that keeps no values: each value goes to the sinks that are attached when it is sent.
///
/// ```swift
/// let broadcast = Broadcast<Int, Never>()
/// let token = broadcast.signal.sink { print($0) }
/// broadcast.send(1)  // 1
/// broadcast.send(2)  // 2
/// ```
///
/// - Delivery: on the sending thread, to the sinks in the order in which they attached. A send returns at once if it is
///   made inside a delivery, or while another thread delivers. Its value then waits in a queue without a bound, and is
///   delivered after the current value. Up to `bufferSize` values wait for a sink without demand.
/// - Failure: the failure passed to `send(completion:)`. Values and failures sent after the end go to `DiscardHook`.
///   Releasing the source finishes its signal, because nothing more can be sent.
/// - Complexity: O(n) per value in the number of sinks.
public final class Broadcast<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let hub: Hub<Value, Failure>

    /// Creates a source; with a `bufferSize` of zero, it keeps no values for a sink without demand.
    ///
    /// With a `bufferSize` of one and `.dropOldest`, the source does not report replaced values to `DiscardHook`.
    public init(bufferSize: Int = 0, whenFull strategy: BufferingStrategy<Never> = .dropNewest) {
        hub = Hub(stage: "Broadcast", bufferSize: bufferSize, whenFull: strategy)
    }

    deinit { hub.finish() }

    /// The signal of the values that are sent after a sink attaches.
    @inlinable public var signal: Signal<Value, Failure> { hub.signal }

    /// Sends a value to the attached sinks.
    @inlinable
    public func send(_ value: Value) { hub.send(value) }

    /// Ends the signal for all its sinks, including later ones.
    public func send(completion: Completion<Failure>) { hub.send(completion: completion) }
}

extension Broadcast where Value == Void {
    /// Sends the only value of type `Void`.
    @inlinable
    public func send() { send(()) }
}
