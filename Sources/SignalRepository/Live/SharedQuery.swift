import Signals

/// A live query, whatever its output, that is read once for all subscriptions to it; used on the live queue alone.
protocol SharedQuery: AnyObject, Sendable {
    /// What it has in common with equal queries; `nil` when that is not known.
    var identity: LiveIdentity? { get }
    /// Set when the last subscription has left; work on the query stops.
    var cancellation: CancellationFlag { get }
    /// The rows that it can use; `nil` when it has to be read whatever changed.
    var use: LiveUse? { get }
    var source: LatestSource { get }
    var subscriptions: ContiguousArray<LatestOutbox> { get }

    /// Reads again in `transaction`, all or what was used up, and sends the result if it differs; returns its delivery.
    func refresh(in transaction: ReadTransaction, commit: Int, isRefill: Bool) throws -> FanOut?

    /// Takes changes of rows in; they show with the next `sendPatched`.
    func apply(_ changes: TableChanges) -> Patch

    /// Reads what belongs to the rows that changed; it shows with the next `sendPatched`.
    func readKeys(in transaction: ReadTransaction) throws -> Patch

    /// Sends the result of the changes, if it differs, and returns its delivery; throws if the query must be read after
    /// all.
    func sendPatched(commit: Int) throws -> FanOut?

    /// Adds a subscription to an equal query, unless it is cancelled.
    ///
    /// It gets the last value, or, if the query is due to be read, the one after that.
    func join(_ subscription: LatestOutbox, commit: Int, isDue: Bool) -> Bool

    /// Removes a subscription; false if it is not in the query's list.
    func leave(_ subscription: LatestOutbox) -> Bool

    func fail(_ error: RepositoryError)
}

extension SharedQuery {
    func readKeys(in transaction: ReadTransaction) throws -> Patch { .lost }
}

/// A shared query whose output is known.
final class TypedSharedQuery<Output: Sendable & Equatable>: SharedQuery, @unchecked Sendable {
    private let query: LiveQuery<Output>
    let identity: LiveIdentity?
    let cancellation: CancellationFlag
    let source: LatestSource
    // Safe because only the live queue touches the maintainer and the following: each method asserts it.
    private let maintainer: (any Maintainer<Output>)?
    private(set) var subscriptions: ContiguousArray<LatestOutbox> = []
    /// Those of them to whom nothing was sent.
    private var newcomers: ContiguousArray<LatestOutbox> = []
    private var last: Output?

    /// That of the live queue; `nil` for a query that is used without one.
    private let confinement: Confinement?

    /// Makes a query that calls `onLeave` for each of its subscriptions that is cancelled.
    init(
        _ query: LiveQuery<Output>, _ identity: LiveIdentity? = nil, hasRowOrder: Bool = true,
        on confinement: Confinement? = nil, onLeave: @escaping @Sendable (LatestOutbox) -> Void = { _ in }
    ) {
        (self.query, self.identity, self.confinement) = (query, identity, confinement)
        maintainer = query.maintainer?(hasRowOrder)
        let cancellation = CancellationFlag()
        self.cancellation = cancellation
        source = LatestSource(isSame: query.isSame, onLeave: onLeave, onAbandon: { cancellation.cancel() })
    }

    var use: LiveUse? { maintainer?.use }

    func refresh(in transaction: ReadTransaction, commit: Int, isRefill: Bool) throws -> FanOut? {
        confinement?.assertHeld()
        // If rows in memory may differ from the stored ones, only the query itself is right.
        guard let maintainer, try transaction.session.connection.areExact(query.tables) else {
            return try read(transaction, commit)
        }
        do {
            let filled = try isRefill ? maintainer.refill(in: transaction) : maintainer.fill(in: transaction)
            guard let value = filled else { return try read(transaction, commit) }
            return send(value, commit, isSame: last.map { query.isSame($0, value) } ?? false)
        } catch let error as RepositoryError {
            // A maintainer looks at more rows than the query does, those beyond a limit, and may bind more values. Only
            // what the query itself fails with is its failure.
            switch error {
            case .overflow, .tooBig: do { return try read(transaction, commit) } catch _ { throw error }
            default: throw error
            }
        }
    }

    private func read(_ transaction: ReadTransaction, _ commit: Int) throws -> FanOut? {
        let isDifferent = try query.read(transaction, &last)
        return last.flatMap { send($0, commit, isSame: !isDifferent) }
    }

    func apply(_ changes: TableChanges) -> Patch {
        confinement?.assertHeld()
        return maintainer?.apply(changes) ?? .lost
    }

    func readKeys(in transaction: ReadTransaction) throws -> Patch {
        confinement?.assertHeld()
        return try maintainer?.readKeys(in: transaction) ?? .lost
    }

    func sendPatched(commit: Int) throws -> FanOut? {
        confinement?.assertHeld()
        guard let maintainer, let value = try maintainer.output() else { return nil }
        let isSame = last.map { !maintainer.comparesOutput && query.isSame($0, value) } ?? false
        return send(value, commit, isSame: isSame)
    }

    /// Sends a value to those who do not have it.
    private func send(_ value: Output, _ commit: Int, isSame: Bool) -> FanOut? {
        defer { newcomers = [] }
        if !isSame { last = value }
        if isSame && newcomers.isEmpty { return nil }
        let box = NumberedValue(number: commit, value: value)
        return source.send(box, isSame: isSame, to: isSame ? newcomers : subscriptions)
    }

    func join(_ subscription: LatestOutbox, commit: Int, isDue: Bool) -> Bool {
        confinement?.assertHeld()
        guard subscription.follow(source) else { return false }
        subscription.index = Int32(subscriptions.count)
        subscriptions.append(subscription)
        if let last, !isDue {
            let box = NumberedValue(number: commit, value: last)
            source.send(box, isSame: true, to: [subscription])?.schedule()
        } else {
            newcomers.append(subscription)
        }
        return true
    }

    func leave(_ subscription: LatestOutbox) -> Bool {
        confinement?.assertHeld()
        let index = Int(subscription.index)
        guard index >= 0 else { return false }
        let last = subscriptions.removeLast()
        if last !== subscription {
            subscriptions[index] = last
            last.index = subscription.index
        }
        subscription.index = -1
        return true
    }

    func fail(_ error: RepositoryError) {
        confinement?.assertHeld()
        last = nil
        source.fail(error, to: subscriptions)
        (subscriptions, newcomers) = ([], [])
    }
}
