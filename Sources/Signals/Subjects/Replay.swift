/// A hot source that remembers its last values and delivers them first to each new sink, even after its end.
///
/// ```swift
/// let log = Replay<String, Never>(keeping: 2)
/// for line in ["a", "b", "c"] { log.send(line) }
/// let token = log.signal.sink { print($0) }  // b c
/// log.send("d")  // d
/// ```
///
/// Unlike a `CurrentValue`, a `Replay` has no value until one is sent, and no property that returns a value.
///
/// - Delivery: the same as for `Broadcast`. A new sink first receives the remembered values, as it requests them, and
///   then later values, without gaps or duplicates. For a sink without demand, the source keeps the newest `count`
///   values.
/// - Failure: the failure passed to `send(completion:)`; a later sink receives it after the remembered values.
///   Releasing the source finishes its signal, because nothing more can be sent.
/// - Complexity: O(n) per value in the number of sinks; O(n) memory in the number of values that the source keeps.
public final class Replay<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let hub: Hub<Value, Failure>

    /// Creates a source that keeps its last `count` values; `.max` keeps all values, without bound.
    public init(keeping count: Int) {
        precondition(count > 0, "Replay(keeping:) needs a count of one or more; use Broadcast to keep none.")
        hub = Hub(
            stage: "Replay", bufferSize: count, whenFull: .dropOldest, replays: count, replaysAfterEnd: true)
    }

    deinit { hub.finish(replaying: true) }

    /// The signal of the remembered values and all later ones.
    @inlinable public var signal: Signal<Value, Failure> { hub.signal }

    /// Sends a value and remembers it.
    @inlinable
    public func send(_ value: Value) { hub.send(value) }

    /// Ends the signal for all its sinks, including later ones.
    public func send(completion: Completion<Failure>) { hub.send(completion: completion) }
}
