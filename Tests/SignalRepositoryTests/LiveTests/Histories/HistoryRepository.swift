import Signals

@testable import RepositoryCore
@testable import SignalRepository

/// The states of a store by the numbers of their commits, as the writer's own connection sees them.
final class HistoryLog: Sendable {
    private let states = Lock([0: HistoryState()])

    /// Records the state after the commits so far, on the writer's queue, so that no commit can come in between.
    func note(_ store: WriteTransaction, at number: Int) throws {
        guard states.withLock({ $0[number] == nil }) else { return }
        let state = try HistoryState(store)
        states.withLock { $0[number] = state }
    }

    func state(at number: Int) -> HistoryState? { states.withLock { $0[number] } }

    var numbers: Set<Int> { states.withLock { Set($0.keys) } }
}

/// A repository that records the store's state before each transaction, and the commits of its live values.
///
/// Every endpoint makes a request, so all of them pass through here.
struct HistoryRepository: Repository {
    let base: SQLiteRepository
    let log: HistoryLog
    /// Receives the number of each value's commit before the value arrives.
    var onCommit: (@Sendable (Int) -> Void)?

    /// How many commits there were.
    var number: Int { base.engine.log.number }

    func signal<Output>(for request: Request<Output>) -> Signal<Output, RepositoryError> {
        var request = request
        request.onCommit = onCommit
        if case .write(let body) = request.work {
            request.work = .write { [log, base] store in
                try log.note(store, at: base.engine.log.number)
                return try body(store)
            }
        }
        return base.signal(for: request)
    }

    func close() -> Signal<Void, Never> { base.close() }
}
