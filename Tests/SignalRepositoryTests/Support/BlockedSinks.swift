import Signals
import SignalsTesting

/// Sinks of one signal that each block a thread of the store at a gate once a value arrives.
struct BlockedSinks {
    private let arrived = CurrentValue<Int, Never>(0)
    private let gate = Gate()
    private let tokens: [SignalToken]

    init<Output, Failure>(_ count: Int, of signal: Signal<Output, Failure>) {
        tokens = (0..<count).map { [arrived, gate] _ in
            signal.sink(
                onValue: { _ in
                    arrived.modify { $0 += 1 }
                    gate.wait()
                }, onCompletion: { _ in })
        }
    }

    /// Waits until that many sinks have reached the gate, including those that have passed it.
    func arrived(_ count: Int) async {
        _ = await arrived.signal.filter { $0 >= count }.value()
    }

    /// Lets each sink pass once.
    func release() {
        for _ in tokens { gate.open() }
    }

    func cancel() {
        for token in tokens { token.cancel() }
    }
}
