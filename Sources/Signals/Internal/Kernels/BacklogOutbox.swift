/// The outbox of a sink that must not miss a value.
///
/// It keeps every value until the value is requested, up to a bound. If a new value exceeds the bound, `overflow` makes
/// a replacement for the new value and all waiting values. A value that waits alone may exceed the bound.
package final class BacklogOutbox<Value: Sendable, Failure: Error>: Outbox, @unchecked Sendable {
    private struct State {
        var waiting = RingBuffer<Value>()
        var weight = 0
        /// The failure to deliver after the waiting values.
        var failure: Failure?
    }

    private enum Event {
        case value(Value)
        case failure(Failure)
    }

    // Safe because the sink is used only by the busy thread, or by the thread that releases it.
    private var sink: Sink<Value, Failure>?
    private let state = Lock(State())
    private let limit: Int
    private let weight: @Sendable (Value) -> Int
    private let overflow: @Sendable (Value) -> Value

    /// Creates an outbox of at most `limit` total weight; `overflow` makes the replacement from the excess value.
    package init(
        _ sink: Sink<Value, Failure>, limit: Int, weight: @escaping @Sendable (Value) -> Int,
        overflow: @escaping @Sendable (Value) -> Value
    ) {
        self.sink = sink
        (self.limit, self.weight, self.overflow) = (limit, weight, overflow)
        super.init(isHeld: false)
    }

    /// Stores a value, unless the run is over; returns the values that a replacement from `overflow` has replaced.
    package func put(_ value: Value) -> [Value] {
        let dropped = state.withLock { state -> [Value] in
            // Checked under the lock that `release` also takes, so that `release` finds every value stored earlier.
            if isClosed || state.failure != nil { return [] }
            var dropped: [Value] = []
            let isTooMuch = !state.waiting.isEmpty && state.weight + weight(value) > limit
            if isTooMuch {
                while let value = state.waiting.popFirst() { dropped.append(value) }
                dropped.append(value)
                state.weight = 0
            }
            let last = isTooMuch ? overflow(value) : value
            state.waiting.append(last)
            state.weight += weight(last)
            return dropped
        }
        notify()
        return dropped
    }

    /// Ends the run with a failure, which is delivered after the waiting values.
    package func fail(_ failure: Failure) {
        state.withLock { $0.failure = $0.failure ?? failure }
        notify()
    }

    override var isReady: Bool {
        state.withLock { $0.waiting.isEmpty ? $0.failure != nil : demand.current > .none }
    }

    override func step() -> Bool {
        assertBusy()
        switch state.withLock({ next(&$0) }) {
        case .value(let value):
            let more = sink?.receive(value) ?? .none
            if more > .none { demand.add(more) }
            return true
        case .failure(let failure):
            if close() { sink?.receive(completion: .failure(failure)) }
            return false
        case nil: return false
        }
    }

    private func next(_ state: inout State) -> Event? {
        if state.waiting.isEmpty { return state.failure.map { .failure($0) } }
        guard demand.takeOne(), let value = state.waiting.popFirst() else { return nil }
        state.weight -= weight(value)
        return .value(value)
    }

    override func release() {
        sink = nil
        let released = state.withLock { state in
            defer { (state.waiting, state.weight) = (RingBuffer(), 0) }
            return state.waiting
        }
        withExtendedLifetime(released) {}
    }
}
