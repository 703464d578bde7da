import Signals

/// A live query, whatever its output, that is read once for all subscriptions to it; used on the live queue alone.
protocol SharedQuery: AnyObject, Sendable {
    /// What it has in common with equal queries; `nil` when that is not known.
    var identity: LiveIdentity? { get }
    /// Set when the last subscription has left; work on the query stops.
    var cancellation: CancellationFlag { get }
    /// The rows that it can use; `nil` when it has to be read whatever changed.
    var use: LiveUse? { get }
    var subscriptions: [ObjectIdentifier: LiveSubscription] { get }

    /// Reads again in `transaction`, all or what was used up, and sends the result if it differs; returns the mailboxes
    /// that are due.
    func refresh(
        in transaction: ReadTransaction, commit: Int, isRefill: Bool
    ) throws -> [Mailbox<LatestValue>]

    /// Takes changes of rows in; they show with the next `sendPatched`.
    func apply(_ changes: TableChanges) -> Patch

    /// Reads what belongs to the rows that changed; it shows with the next `sendPatched`.
    func readKeys(in transaction: ReadTransaction) throws -> Patch

    /// Sends what the changes have come to, if it differs, and returns the mailboxes that are due; `nil` when it has to
    /// be read after all.
    func sendPatched(commit: Int) -> [Mailbox<LatestValue>]?

    /// Adds a subscription to an equal query, unless it is cancelled.
    ///
    /// It gets the last value, or, if the query is due to be read, the one after that.
    func join(_ subscription: LiveSubscription, commit: Int, isDue: Bool) -> Bool

    /// Removes a subscription.
    func leave(_ subscription: LiveSubscription)

    /// Ends all subscriptions with a failure.
    func fail(_ error: RepositoryError)
}

extension SharedQuery {
    func readKeys(in transaction: ReadTransaction) throws -> Patch { .lost }
}

/// A shared query whose output is known.
final class TypedSharedQuery<Output: Sendable & Equatable>: SharedQuery, @unchecked Sendable {
    private let query: LiveQuery<Output>
    let identity: LiveIdentity?
    private let sharing = SharedCancellation()
    // Safe because only the live queue touches the following, and the maintainer: each method asserts it.
    private let maintainer: (any Maintainer<Output>)?
    private(set) var subscriptions: [ObjectIdentifier: LiveSubscription] = [:]
    /// Those of them that have not got a value.
    private var newcomers: [LiveSubscription] = []
    /// The last result.
    private var last: Output?

    /// That of the live queue; `nil` for a query that is used without one.
    private let confinement: Confinement?

    init(
        _ query: LiveQuery<Output>, _ identity: LiveIdentity? = nil, hasRowOrder: Bool = true,
        on confinement: Confinement? = nil
    ) {
        (self.query, self.identity, self.confinement) = (query, identity, confinement)
        maintainer = query.maintainer?(hasRowOrder)
    }

    var cancellation: CancellationFlag { sharing.flag }

    var use: LiveUse? { maintainer?.use }

    func refresh(
        in transaction: ReadTransaction, commit: Int, isRefill: Bool
    ) throws -> [Mailbox<LatestValue>] {
        confinement?.assertHeld()
        // Where rows in memory do not say what the store says of them, the query itself is all there is.
        guard let maintainer, try transaction.session.connection.areExact(query.tables) else {
            return try read(transaction, commit)
        }
        do {
            let value = try isRefill ? maintainer.refill(in: transaction) : maintainer.fill(in: transaction)
            return send(value, commit, isSame: last.map { query.isSame($0, value) } ?? false)
        } catch let error as RepositoryError {
            // A maintainer looks at more rows than the query does: those beyond a limit, say. Only what the query
            // itself fails with is its failure.
            guard case .overflow = error, let due = try? read(transaction, commit) else { throw error }
            return due
        }
    }

    private func read(_ transaction: ReadTransaction, _ commit: Int) throws -> [Mailbox<LatestValue>] {
        let isDifferent = try query.read(transaction, &last)
        return last.map { send($0, commit, isSame: !isDifferent) } ?? []
    }

    func apply(_ changes: TableChanges) -> Patch {
        confinement?.assertHeld()
        return maintainer?.apply(changes) ?? .lost
    }

    func readKeys(in transaction: ReadTransaction) throws -> Patch {
        confinement?.assertHeld()
        return try maintainer?.readKeys(in: transaction) ?? .lost
    }

    func sendPatched(commit: Int) -> [Mailbox<LatestValue>]? {
        confinement?.assertHeld()
        guard let maintainer else { return nil }
        do {
            guard let value = try maintainer.output() else { return [] }
            let isSame = last.map { !maintainer.comparesOutput && query.isSame($0, value) } ?? false
            return send(value, commit, isSame: isSame)
        } catch {
            return nil
        }
    }

    /// Sends a value to those who do not have it; returns the mailboxes that are due.
    private func send(_ value: Output, _ commit: Int, isSame: Bool) -> [Mailbox<LatestValue>] {
        let box = CommittedBox(commit: commit, value: value)
        var due: [Mailbox<LatestValue>] = []
        if isSame {
            for subscription in newcomers where subscription.mailbox.offer(box) { due.append(subscription.mailbox) }
        } else {
            last = value
            for subscription in subscriptions.values where subscription.mailbox.offer(box) {
                due.append(subscription.mailbox)
            }
        }
        newcomers = []
        return due
    }

    func join(_ subscription: LiveSubscription, commit: Int, isDue: Bool) -> Bool {
        confinement?.assertHeld()
        guard subscription.enter(sharing) else { return false }
        subscriptions[ObjectIdentifier(subscription)] = subscription
        if let last, !isDue {
            if subscription.mailbox.offer(CommittedBox(commit: commit, value: last)) {
                subscription.mailbox.schedule()
            }
        } else {
            newcomers.append(subscription)
        }
        return true
    }

    func leave(_ subscription: LiveSubscription) {
        confinement?.assertHeld()
        subscriptions[ObjectIdentifier(subscription)] = nil
    }

    func fail(_ error: RepositoryError) {
        confinement?.assertHeld()
        last = nil
        for subscription in subscriptions.values { subscription.mailbox.fail(error) }
        (subscriptions, newcomers) = ([:], [])
    }
}

/// A cancellation that happens when the last of those who share it has left.
final class SharedCancellation: Sendable {
    let flag = CancellationFlag()
    private let count = Lock(0)

    /// Takes one more in; false when the last one has left before.
    func enter() -> Bool {
        count.withLock { count in
            guard !flag.isCancelled else { return false }
            count += 1
            return true
        }
    }

    func leave() {
        count.withLock { count in
            count -= 1
            if count == 0 { flag.cancel() }
        }
    }
}
