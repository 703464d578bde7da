/// A hot source that remembers its latest value and delivers it first to each new sink.
///
/// ```swift
/// let temperature = CurrentValue<Int, Never>(20)
/// let token = temperature.signal.sink { print($0) }  // 20
/// temperature.send(21)  // 21
/// print(temperature.value)  // 21
/// ```
///
/// - Delivery: the same as for `Broadcast`. A sink that had no demand receives the latest value when it requests one.
///   No sink receives a value older than one that it has received.
/// - Failure: the failure passed to `send(completion:)`. After the end, a new sink receives only the end. Releasing the
///   source finishes its signal, because nothing more can be sent; a new sink then still receives the latest value
///   before the end.
public final class CurrentValue<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let hub: Hub<Value, Failure>
    @usableFromInline let current: Lock<State>

    @usableFromInline
    struct State {
        @usableFromInline var value: Value
        /// The number of changes, which shows that a value was replaced, even by an equal one.
        @usableFromInline var changes = 0
        @usableFromInline var isEnded = false
        /// Whether a value or the end may wait in the inbox.
        ///
        /// While it is false, a send need not take the inbox's lock.
        @usableFromInline var mayWait = false
    }

    /// Creates a source with its first value.
    public init(_ value: Value) {
        hub = Hub(stage: "CurrentValue", bufferSize: 1, whenFull: .dropOldest, replays: 1, initial: value)
        current = Lock(State(value: value))
    }

    deinit { hub.finish(replaying: true) }

    /// The latest value; setting this property sends the new value.
    ///
    /// `value += 1` first reads and then writes, and another thread may write in between. `modify` does both in one
    /// step.
    @inlinable
    public var value: Value {
        get { current.withLock { $0.value } }
        set { send(newValue) }
    }

    /// The signal of the latest value and all later ones.
    @inlinable public var signal: Signal<Value, Failure> { hub.signal }

    /// Sends a value, which becomes the latest.
    @inlinable
    public func send(_ value: Value) { store(value) }

    /// Changes the latest value in one step, so that no change by another thread is lost, and sends the new value.
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
    /// value, so it should have no side effects. If `change` itself sends to this source, `modify` never returns.
    ///
    /// - Delivery: the new value, once. After the end, `modify` changes nothing, and the new value goes to
    ///   `DiscardHook`.
    /// - Failure: the error that `change` throws. In this case, nothing is changed or sent.
    /// - Complexity: the cost of `change`, repeated for each concurrent change.
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

    /// Stores a value and returns true.
    ///
    /// If `changes` is given but is not the current number of changes, stores nothing and returns false.
    ///
    /// Values are delivered or queued in the order in which they are stored, so the last delivered value is the latest.
    @inlinable
    @discardableResult
    func store(_ value: Value, after changes: Int? = nil) -> Bool {
        guard hub.inbox.enter() else { return enqueue(value, after: changes) }
        let (destination, replaced) = current.withLock { state -> (Destination, Value?) in
            if let changes, changes != state.changes { return (.nowhere, nil) }
            let old = Self.remember(value, in: &state)
            if state.mayWait { state.mayWait = !hub.inbox.isEmpty }
            if !state.mayWait { return (.delivery, old) }
            // The queued values were stored earlier, so this value goes to the end of the queue.
            hub.inbox.enqueue(.value(value))
            return (.queue, old)
        }
        if destination == .delivery { hub.deliver(value) }
        if destination == .queue { hub.goOn() } else { hub.leave() }
        return withExtendedLifetime(replaced) { destination != .nowhere }
    }

    @usableFromInline
    enum Destination { case nowhere, delivery, queue }

    /// Makes a value the latest, unless the source has ended.
    ///
    /// Returns the replaced value, which the caller releases outside the lock.
    @inlinable
    static func remember(_ value: Value, in state: inout State) -> Value? {
        if state.isEnded { return nil }
        defer { (state.value, state.changes) = (value, state.changes &+ 1) }
        return state.value
    }

    /// Does the same as `store` while another thread, or an outer call on this thread, processes events of the inbox.
    @inlinable @inline(never)
    func enqueue(_ value: Value, after changes: Int?) -> Bool {
        let (isStored, replaced) = current.withLock { state -> (Bool, Value?) in
            if let changes, changes != state.changes { return (false, nil) }
            let old = Self.remember(value, in: &state)
            state.mayWait = true
            hub.inbox.enqueueForThisThread(.value(value))
            return (true, old)
        }
        withExtendedLifetime(replaced) { if isStored { hub.work() } }
        return isStored
    }

    /// Ends the signal for all its sinks, including later ones; `value` does not change.
    public func send(completion: Completion<Failure>) {
        current.withLock { state in
            (state.isEnded, state.mayWait) = (true, true)
            hub.inbox.enqueueForThisThread(.end(completion))
        }
        hub.work()
    }
}
