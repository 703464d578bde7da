/// A hot source that remembers its latest value and begins with it.
///
/// ```swift
/// let temperature = CurrentValue<Int, Never>(20)
/// let token = temperature.signal.sink { print($0) }  // 20
/// temperature.send(21)  // 21
/// print(temperature.value)  // 21
/// ```
///
/// - Delivery: as `Broadcast`; a sink without demand gets the latest value when it asks, and never one that is older
///   than one it has seen.
/// - Failure: what is sent with `send(completion:)`. After the end a new sink gets the end alone.
public final class CurrentValue<Value: Sendable, Failure: Error>: Sendable {
    private let hub: Hub<Value, Failure>
    private let current: Lock<(value: Value, isEnded: Bool)>

    /// Makes a source with its first value.
    public init(_ value: Value) {
        hub = Hub(backlog: .latest, replays: 1, initial: value)
        current = Lock((value, false))
    }

    /// The latest value; setting it sends it.
    public var value: Value {
        get { current.withLock { $0.value } }
        set { send(newValue) }
    }

    /// The signal of the latest value and all that follow.
    public var signal: Signal<Value, Failure> {
        Signal(trusted: { [hub] sink in hub.attach(sink) })
    }

    /// Sends a value, which becomes the latest.
    public func send(_ value: Value) {
        // The value is remembered and queued in one step, so that the last one delivered is the last one remembered.
        let replaced: Value? = current.withLock { state in
            var old: Value?
            if !state.isEnded {
                old = state.value
                state.value = value
            }
            hub.inbox.enqueue(.value(value))
            return old
        }
        withExtendedLifetime(replaced) { hub.work() }
    }

    /// Ends the signal for all its sinks, those to come included; `value` stays.
    public func send(completion: Completion<Failure>) {
        current.withLock { state in
            state.isEnded = true
            hub.inbox.enqueue(.end(completion))
        }
        hub.work()
    }
}
