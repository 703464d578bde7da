/// A hot source that remembers its last values and begins with them, even after its end.
///
/// ```swift
/// let log = Replay<String, Never>(keeping: 2)
/// for line in ["a", "b", "c"] { log.send(line) }
/// let token = log.signal.sink { print($0) }  // b c
/// log.send("d")  // d
/// ```
///
/// `CurrentValue` has one value from the start, which can be read; this has none until one is sent.
///
/// - Delivery: as `Broadcast`; a new sink first gets the last values, as it requests them, and then later ones, without
///   gaps or duplicates. For a sink without demand, as many of the newest values are kept.
/// - Failure: the one passed to `send(completion:)`; a later sink gets it after the last values. Releasing the source
///   finishes its signal, because nothing more can be sent.
/// - Complexity: O(n) per value in the number of sinks; O(n) in memory in the number of values it keeps.
public final class Replay<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let hub: Hub<Value, Failure>

    /// Creates a source that keeps its last `count` values; `.max` keeps all, without bound.
    public init(keeping count: Int) {
        precondition(count > 0, "Replay(keeping:) needs a count of one or more; use Broadcast to keep none.")
        hub = Hub(
            stage: "Replay", bufferSize: count, whenFull: .dropOldest, replays: count, replaysAfterEnd: true)
    }

    deinit { hub.finish(replaying: true) }

    /// The signal of the last values and all later ones.
    public var signal: Signal<Value, Failure> { hub.signal }

    /// Sends a value, which is remembered.
    @inlinable
    public func send(_ value: Value) { hub.send(value) }

    /// Ends the signal for all its sinks, including later ones.
    public func send(completion: Completion<Failure>) { hub.send(completion: completion) }
}
