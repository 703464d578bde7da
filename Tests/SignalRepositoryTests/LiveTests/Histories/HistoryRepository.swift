import Signals

@testable import SignalRepository

/// The states of a store by the numbers of their commits, as the writer's own connection sees them.
final class HistoryLog: Sendable {
    private let states = Lock([0: HistoryState()])

    /// Writes down what the commits so far have come to; on the writer's queue, where none can come in between.
    func note(_ store: WriteTransaction, at number: Int) throws {
        guard states.withLock({ $0[number] == nil }) else { return }
        let state = try HistoryState(store)
        states.withLock { $0[number] = state }
    }

    func state(at number: Int) -> HistoryState? { states.withLock { $0[number] } }

    var numbers: Set<Int> { states.withLock { Set($0.keys) } }
}

/// A repository that looks at the store before each transaction, and writes down which commits live values belong to.
///
/// Every endpoint is a request, so that all of them pass by here.
struct HistoryRepository: Repository {
    let base: SQLiteRepository
    let log: HistoryLog
    /// Hears the number of each value's commit, before the value comes.
    var heard: (@Sendable (Int) -> Void)?

    /// How many commits there were.
    var number: Int { base.engine.log.number }

    func signal<Output>(for request: Request<Output>) -> Signal<Output, RepositoryError> {
        var request = request
        request.hears = heard
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
