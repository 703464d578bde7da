import Signals

/// One live query, whatever its output: what the live engine maintains, for all sinks that follow it.
protocol LiveNode: AnyObject, Sendable {
    /// Set when the last sink has left; work on the node stops.
    var cancellation: CancellationFlag { get }
    /// The rows that the node can use; `nil` when it has to be read whatever changed.
    var use: LiveUse? { get }
    /// Whether no sink follows it any more.
    var isEmpty: Bool { get }
    /// The sinks that follow it.
    var sinkIDs: [ObjectIdentifier] { get }

    /// Reads again in `transaction`, and emits the result if it differs.
    func refresh(in transaction: ReadTransaction, commit: Int, _ reason: LiveWork.Reason) throws

    /// Takes changes of rows in; they show with the next `emit`.
    func apply(_ changes: TableChanges) -> Patch

    /// Emits what the changes have come to, if it differs; false when it has to be read after all.
    func emit(commit: Int) -> Bool

    /// Adds a sink, if it is one for this query and has not left.
    ///
    /// It gets the last value, or, if the node is due to be read, the one after that.
    func join(_ sink: any LiveArrival, commit: Int, isDue: Bool) -> Bool

    /// Removes a sink.
    func leave(_ sink: any LiveArrival)

    /// Ends all sinks with a failure.
    func fail(_ error: RepositoryError)
}

/// A live query with the sinks that follow it.
final class QueryNode<Output: Sendable & Equatable>: LiveNode, @unchecked Sendable {
    private let query: LiveQuery<Output>
    private let audience = LiveAudience()
    // Safe because only the live queue touches the following, and the maintainer.
    private let maintainer: (any Maintainer<Output>)?
    private var sinks: [ObjectIdentifier: LiveSink<Output>] = [:]
    /// Those of them that have not got a value.
    private var newcomers: [LiveSink<Output>] = []
    /// The last result.
    private let cell = LiveCell<Output>()

    init(_ query: LiveQuery<Output>) {
        self.query = query
        maintainer = query.maintainer?()
    }

    var cancellation: CancellationFlag { audience.cancellation }

    var use: LiveUse? { maintainer?.use }

    var isEmpty: Bool { sinks.isEmpty }

    var sinkIDs: [ObjectIdentifier] { Array(sinks.keys) }

    func refresh(in transaction: ReadTransaction, commit: Int, _ reason: LiveWork.Reason) throws {
        if let maintainer {
            let value = try reason == .usedUp ? maintainer.refill(in: transaction) : maintainer.fill(in: transaction)
            emit(value, commit, isSame: cell.value.map { query.isSame($0, value) } ?? false)
        } else {
            let isDifferent = try query.read(transaction, cell)
            if let value = cell.value { emit(value, commit, isSame: !isDifferent) }
        }
    }

    func apply(_ changes: TableChanges) -> Patch { maintainer?.apply(changes) ?? .lost }

    func emit(commit: Int) -> Bool {
        guard let maintainer else { return false }
        do {
            guard let value = try maintainer.output() else { return true }
            emit(
                value, commit,
                isSame: cell.value.map { !maintainer.comparesOutput && query.isSame($0, value) } ?? false)
            return true
        } catch {
            return false
        }
    }

    /// Gives a value to those who do not have it.
    private func emit(_ value: Output, _ commit: Int, isSame: Bool) {
        let letter = LiveLetter(Committed(commit: commit, value: value))
        if isSame {
            for sink in newcomers { sink.mailbox.offer(letter) }
        } else {
            cell.value = value
            for sink in sinks.values { sink.mailbox.offer(letter) }
        }
        newcomers = []
    }

    func join(_ sink: any LiveArrival, commit: Int, isDue: Bool) -> Bool {
        guard let sink = sink as? LiveSink<Output>, sink.enter(audience) else { return false }
        sinks[ObjectIdentifier(sink)] = sink
        if let value = cell.value, !isDue {
            sink.mailbox.offer(LiveLetter(Committed(commit: commit, value: value)))
        } else {
            newcomers.append(sink)
        }
        return true
    }

    func leave(_ sink: any LiveArrival) { sinks[ObjectIdentifier(sink)] = nil }

    func fail(_ error: RepositoryError) {
        cell.value = nil
        for sink in sinks.values { sink.mailbox.fail(error) }
        (sinks, newcomers) = ([:], [])
    }
}

/// How many sinks follow a query; when the last one leaves, the work on the query is cancelled.
final class LiveAudience: Sendable {
    let cancellation = CancellationFlag()
    private let count = Lock(0)

    /// Adds a sink; false when the last one has left before.
    func enter() -> Bool {
        count.withLock { count in
            guard !cancellation.isCancelled else { return false }
            count += 1
            return true
        }
    }

    func leave() {
        count.withLock { count in
            count -= 1
            if count == 0 { cancellation.cancel() }
        }
    }
}
