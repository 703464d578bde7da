import Signals

/// A live query of any output type, which is read once for all its subscriptions; used only on the live queue.
protocol SharedQuery: AnyObject, Sendable {
    /// The identity that equal queries share; `nil` if it is unknown.
    var identity: LiveIdentity? { get }
    /// Set when the last subscription has left; work on the query stops.
    var cancellation: CancellationFlag { get }
    /// The rows that it can use; `nil` if it must be re-read after any change.
    var use: LiveUse? { get }
    var source: LatestSource { get }
    var subscriptions: ContiguousArray<LatestOutbox> { get }

    /// Re-reads or refills the result in `transaction`, sends it if it differs, and returns the delivery.
    func refresh(in transaction: ReadTransaction, commit: Int, isRefill: Bool) throws -> FanOut?

    /// Applies row changes; they become visible with the next `sendUpdated`.
    func apply(_ changes: TableChanges) -> UpdateEffect

    /// Re-reads by key what belongs to the changed rows; it becomes visible with the next `sendUpdated`.
    func readKeys(in transaction: ReadTransaction) throws -> UpdateEffect

    /// Sends the updated result if it differs, and returns the delivery; throws if the query must be re-read.
    func sendUpdated(commit: Int) throws -> FanOut?

    /// Adds a subscription; returns `false` if it is cancelled, or if all others have left.
    ///
    /// It gets the last value or, if the query is due to be read, the next one.
    func join(_ subscription: LatestOutbox, commit: Int, isDue: Bool) -> Bool

    /// Removes a subscription; returns `false` if it is not in the query's list.
    func leave(_ subscription: LatestOutbox) -> Bool

    func fail(_ error: RepositoryError)
}

extension SharedQuery {
    func readKeys(in transaction: ReadTransaction) throws -> UpdateEffect { .needsReread }
}

/// A shared query of a known output type.
final class TypedSharedQuery<Output: Sendable & Equatable>: SharedQuery, @unchecked Sendable {
    private let query: LiveQuery<Output>
    let identity: LiveIdentity?
    let cancellation: CancellationFlag
    let source: LatestSource
    // Safe because only the live queue touches the maintainer and the state below: each method asserts it.
    private let maintainer: (any Maintainer<Output>)?
    private(set) var subscriptions: ContiguousArray<LatestOutbox> = []
    /// The subscriptions that have not been sent a value yet.
    private var newcomers: ContiguousArray<LatestOutbox> = []
    private var last: Output?

    /// The live queue's confinement; `nil` for a query that is used without a queue.
    private let confinement: Confinement?

    /// Creates a query that calls `onLeave` for each cancelled subscription.
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
        // If rows in memory may differ from the stored ones, only the query itself gives the right result.
        guard let maintainer, try transaction.session.connection.compareExactly(query.tables) else {
            return try read(transaction, commit)
        }
        do {
            let filled = try isRefill ? maintainer.refill(in: transaction) : maintainer.fill(in: transaction)
            guard let value = filled else { return try read(transaction, commit) }
            return send(value, commit, isSame: last.map { query.isSame($0, value) } ?? false)
        } catch let error as RepositoryError {
            // A maintainer reads more rows than the query, namely beyond a limit, and may bind more values. Such a
            // failure counts only if the query itself fails too.
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

    func apply(_ changes: TableChanges) -> UpdateEffect {
        confinement?.assertHeld()
        return maintainer?.apply(changes) ?? .needsReread
    }

    func readKeys(in transaction: ReadTransaction) throws -> UpdateEffect {
        confinement?.assertHeld()
        return try maintainer?.readKeys(in: transaction) ?? .needsReread
    }

    func sendUpdated(commit: Int) throws -> FanOut? {
        confinement?.assertHeld()
        guard let maintainer, let value = try maintainer.output() else { return nil }
        let isSame = last.map { !maintainer.comparesOutput && query.isSame($0, value) } ?? false
        return send(value, commit, isSame: isSame)
    }

    /// Sends a value to the subscriptions that do not have it.
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
