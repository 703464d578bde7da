import Signals

/// One attached live query, whatever its output: what the live engine maintains.
protocol LiveNode: AnyObject, Sendable {
    /// Set by the sink's cancel; work on the node stops.
    var cancellation: CancellationFlag { get }
    /// The only table whose rows the node can use, and the key of the only row.
    var use: LiveUse? { get }

    /// Reads again in `transaction`, and emits the result if it differs.
    func refresh(in transaction: ReadTransaction, commit: Int) throws

    /// Takes changes of rows in; they show with the next `emit`.
    func apply(_ changes: TableChanges) -> Patch

    /// Emits what the changes have come to, if it differs; false when it has to be read after all.
    func emit(commit: Int) -> Bool

    /// Ends the node with a failure.
    func fail(_ error: RepositoryError)
}

/// The rows that a node can use.
struct LiveUse {
    let table: String
    let key: SQLValue?
}

/// A live query with the sink that follows it.
final class QueryNode<Output: Sendable & Equatable>: LiveNode, @unchecked Sendable {
    let cancellation = CancellationFlag()
    private let query: LiveQuery<Output>
    private let mailbox: Mailbox<LatestValue<Output>>
    /// The last result.
    ///
    /// Safe because only the live queue touches it and the maintainer.
    private let cell = LiveCell<Output>()
    private let maintainer: (any Maintainer<Output>)?

    init(_ query: LiveQuery<Output>, _ sink: Sink<Committed<Output>, RepositoryError>) {
        self.query = query
        mailbox = Mailbox(sink, LatestValue(isSame: query.isSame))
        maintainer = query.maintainer?()
    }

    var use: LiveUse? { maintainer.map { LiveUse(table: $0.table, key: $0.key) } }

    func refresh(in transaction: ReadTransaction, commit: Int) throws {
        if let maintainer {
            offer(try maintainer.fill(in: transaction), commit)
        } else if try query.read(transaction, cell), let value = cell.value {
            mailbox.offer(Committed(commit: commit, value: value))
        }
    }

    func apply(_ changes: TableChanges) -> Patch { maintainer?.apply(changes) ?? .lost }

    func emit(commit: Int) -> Bool {
        guard let maintainer, let value = try? maintainer.output() else { return false }
        offer(value, commit)
        return true
    }

    private func offer(_ value: Output, _ commit: Int) {
        if let last = cell.value, query.isSame(last, value) { return }
        cell.value = value
        mailbox.offer(Committed(commit: commit, value: value))
    }

    func fail(_ error: RepositoryError) {
        cell.value = nil
        mailbox.fail(error)
    }

    func request(_ demand: Demand) {
        mailbox.request(demand)
    }

    func cancel() {
        cancellation.cancel()
        mailbox.cancel()
    }
}

extension Mailbox {
    /// Takes a value that differs from the one offered before.
    ///
    /// If the sink has not taken that one and the new value is the last that it did take, there is nothing to deliver.
    func offer<Value>(_ value: Committed<Value>) where Content == LatestValue<Value> {
        // Compared outside the lock, because the values' own comparison is foreign code.
        let (delivered, deliveries, isSame) = look { ($0.delivered, $0.deliveries, $0.isSame) }
        let isKnown = delivered.map { isSame($0, value.value) } ?? false
        let replaced = put { $0.replace(with: isKnown && deliveries == $0.deliveries ? nil : value) }
        withExtendedLifetime(replaced) {}
    }
}
