/// A hot source that remembers its latest value and begins with it.
///
/// ```swift
/// let temperature = CurrentValue<Int, Never>(20)
/// let token = temperature.signal.sink { print($0) }  // 20
/// temperature.send(21)  // 21
/// print(temperature.value)  // 21
/// ```
///
/// - Delivery: as `Broadcast`; a sink without demand gets the latest value when it requests, and never one older than
///   one it has seen.
/// - Failure: the one passed to `send(completion:)`. After the end a new sink gets only the end. Releasing the source
///   finishes its signal, because nothing more can be sent; a new sink then still gets the latest value before the end.
public final class CurrentValue<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let hub: Hub<Value, Failure>
    /// The number of changes distinguishes a value from one that replaced it, even if both are equal.
    @usableFromInline let current: Lock<(value: Value, changes: Int, isEnded: Bool)>

    /// Creates a source with its first value.
    public init(_ value: Value) {
        hub = Hub(stage: "CurrentValue", bufferSize: 1, whenFull: .dropOldest, replays: 1, initial: value)
        current = Lock((value, 0, false))
    }

    deinit { hub.finish(replaying: true) }

    /// The latest value; setting it sends it.
    ///
    /// `value += 1` reads and then writes, and another thread may write in between; `modify` is one step.
    @inlinable
    public var value: Value {
        get { current.withLock { $0.value } }
        set { send(newValue) }
    }

    /// The signal of the latest value and all later ones.
    public var signal: Signal<Value, Failure> { hub.signal }

    /// Sends a value, which becomes the latest.
    @inlinable
    public func send(_ value: Value) { store(value) }

    /// Changes the latest value in one step, so that no change by another thread is lost, and sends the result.
    ///
    /// ```swift
    /// let clicks = CurrentValue<Int, Never>(0)
    /// let token = clicks.signal.sink { print($0) }  // 0
    /// let before = clicks.modify { count in
    ///     defer { count += 1 }
    ///     return count
    /// }  // 1
    /// print(before)  // 0
    /// ```
    ///
    /// `change` runs without a lock. If another thread changes the value concurrently, `change` runs again with the new
    /// value, so it should have no other effect. A `change` that sends to this source would run forever.
    ///
    /// - Delivery: the new value, once. After the end nothing changes, and the new value goes to `DiscardHook`.
    /// - Failure: the error that `change` throws; nothing is then changed or sent.
    /// - Complexity: that of `change`, repeated for each concurrent change.
    /// - Returns: the result of the last run of `change`.
    @discardableResult
    public func modify<Result, Thrown: Error>(
        _ change: (inout Value) throws(Thrown) -> Result
    ) throws(Thrown) -> Result {
        while true {
            let (old, changes) = current.withLock { ($0.value, $0.changes) }
            var new = old
            let result = try change(&new)
            if store(new, after: changes) { return result }
        }
    }

    /// Stores a value, unless `changes` is given and more changes were made; returns whether it did.
    ///
    /// Values are delivered or queued in the order in which they are stored, so that the last one delivered is the
    /// latest.
    @inlinable
    @discardableResult
    func store(_ value: Value, after changes: Int? = nil) -> Bool {
        guard hub.inbox.enter() else { return enqueue(value, after: changes) }
        let (destination, replaced) = current.withLock { state -> (Destination, Value?) in
            if let changes, changes != state.changes { return (.nowhere, nil) }
            let old = Self.remember(value, in: &state)
            if hub.inbox.isEmpty { return (.delivery, old) }
            // The values in the queue were stored before.
            hub.inbox.enqueue(.value(value))
            return (.queue, old)
        }
        if destination == .delivery { hub.deliver(value) }
        hub.leave(hasMore: destination == .queue)
        return withExtendedLifetime(replaced) { destination != .nowhere }
    }

    @usableFromInline
    enum Destination { case nowhere, delivery, queue }

    /// Makes a value the latest, unless the source has ended; returns the one it replaced, to be released outside the
    /// lock.
    @inlinable
    static func remember(_ value: Value, in state: inout (value: Value, changes: Int, isEnded: Bool)) -> Value? {
        if state.isEnded { return nil }
        defer { (state.value, state.changes) = (value, state.changes &+ 1) }
        return state.value
    }

    /// Does the same as `store` while events of the inbox are being processed: by another thread, or by an outer call
    /// on this one.
    @usableFromInline
    func enqueue(_ value: Value, after changes: Int?) -> Bool {
        let (isStored, replaced) = current.withLock { state -> (Bool, Value?) in
            if let changes, changes != state.changes { return (false, nil) }
            let old = Self.remember(value, in: &state)
            hub.inbox.enqueueForThisThread(.value(value))
            return (true, old)
        }
        withExtendedLifetime(replaced) { if isStored { hub.work() } }
        return isStored
    }

    /// Ends the signal for all its sinks, including later ones; `value` stays.
    public func send(completion: Completion<Failure>) {
        current.withLock { state in
            state.isEnded = true
            hub.inbox.enqueueForThisThread(.end(completion))
        }
        hub.work()
    }
}
