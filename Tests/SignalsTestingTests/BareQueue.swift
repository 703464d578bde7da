import Signals
import SignalsLaws
import SignalsTesting

/// A queue of values that wait for demand; each call delivers on its own thread.
final class BareQueue: Sendable {
    private struct State {
        var values: [LawValue] = []
        var demand = Demand.none
        var ending: Completion<LawFailure>?
        var isDelivering = false
    }

    private let state = Lock(State())
    private let next: End
    private let dropsAtEnd: Bool
    private let nests: Bool

    init(_ next: End, dropsAtEnd: Bool, nests: Bool) {
        self.next = next
        self.dropsAtEnd = dropsAtEnd
        self.nests = nests
    }

    func request(_ asked: Demand) {
        let mayDeliver = state.withLock { state in
            state.demand += asked
            return nests || !state.isDelivering
        }
        if mayDeliver { deliver() }
    }

    func receive(_ value: LawValue) {
        state.withLock { $0.values.append(value) }
        deliver()
    }

    func end(_ completion: Completion<LawFailure>) {
        state.withLock { state in
            state.ending = completion
            if dropsAtEnd { state.values = [] }
        }
        deliver()
    }

    private func deliver() {
        while let value = take() {
            let more = next.receive(value)
            state.withLock { state in
                state.demand += more
                state.isDelivering = false
            }
        }
        let ending = state.withLock { $0.values.isEmpty ? $0.ending.take() : nil }
        if let ending { next.receive(completion: ending) }
    }

    private func take() -> LawValue? {
        state.withLock { state in
            guard !state.values.isEmpty, state.demand > .none else { return nil }
            if let limit = state.demand.limit { state.demand = .max(limit - 1) }
            state.isDelivering = true
            return state.values.removeFirst()
        }
    }
}
