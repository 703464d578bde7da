import Foundation
import Signals

/// A live query of any output type, which is read once for all its subscriptions; used only on the live queue.
protocol SharedQuery: AnyObject, Sendable {
    /// The identity by which equal queries are recognized; `nil` for a query that is never shared.
    var identity: LiveIdentity? { get }
    /// The flag that ends work on the query, set when its last subscription has left.
    var cancellation: CancellationFlag { get }
    /// The filters for changed rows that may affect the query; `nil` if any change of its tables needs a re-read.
    var use: [String: RowFilter]? { get }
    /// The time at which the result may change without a commit; `nil` if only commits change the result.
    var due: Date? { get }
    var source: LatestSource { get }
    var subscriptions: ContiguousArray<LatestOutbox> { get }

    /// Reads the whole result or, if `isRefill`, only a new reserve for it (see `Maintainer.refill(in:)`); returns the
    /// delivery of the result, or `nil` if no subscription needs it.
    func refresh(in transaction: ReadTransaction, commit: Int, isRefill: Bool) throws -> FanOut?

    /// Applies row changes to the result, which the next `sendUpdated` sends.
    func apply(_ changes: TableChanges) -> UpdateEffect

    /// Moves the result to a later time; returns the effect, which needs a read if rows may enter or leave the result
    /// until then.
    func advance(to time: Date) -> UpdateEffect

    /// Re-reads the items that belong to the changed rows; the next `sendUpdated` sends the result.
    func readKeys(in transaction: ReadTransaction) throws -> UpdateEffect

    /// Returns the delivery of the updated result, or `nil` if no subscription needs it; throws if a re-read is needed.
    func sendUpdated(commit: Int) throws -> FanOut?

    /// Adds a subscription; returns `false` if it is cancelled, or if all earlier subscriptions have left.
    ///
    /// The subscription gets the last value or, if `isDue` (the query is about to be read), the next value.
    func join(_ subscription: LatestOutbox, commit: Int, isDue: Bool) -> Bool

    /// Removes a subscription; returns `false` if it is not in the query's list.
    func leave(_ subscription: LatestOutbox) -> Bool

    func fail(_ error: RepositoryError)
}

/// A shared query of a known output type.
final class TypedSharedQuery<Output: Sendable & Equatable>: SharedQuery, @unchecked Sendable {
    private let query: LiveQuery<Output>
    let identity: LiveIdentity?
    let cancellation: CancellationFlag
    let source: LatestSource
    // Safe because only the live queue touches the maintainer and the state below, which each method asserts.
    private var maintainer: (any Maintainer<Output>)?
    /// The layouts of foreign tables (see `TableLayout.isForeign`) for which the maintainer was made; `nil` if there is
    /// no maintainer, because changed rows of a table cannot update the query.
    private var layouts: [String: TableLayout]? = [:]
    private let isSQLite: Bool
    private(set) var subscriptions: ContiguousArray<LatestOutbox> = []
    /// The subscriptions that no value has been sent to.
    private var newcomers: ContiguousArray<LatestOutbox> = []
    private var last: Output?
    /// The time of the last read, if the query uses the time and its maintainer does not follow the time.
    private var timeOfRead: Date?
    /// The interval at which a query with a `timeOfRead` is re-read, in seconds.
    private static var interval: TimeInterval { 1 }

    /// Asserts use on the live queue; `nil` for a query that is used without a queue.
    private let confinement: Confinement?

    /// Creates a query that calls `onLeave` for each cancelled subscription.
    init(
        _ query: LiveQuery<Output>, _ identity: LiveIdentity? = nil, isSQLite: Bool = true,
        on confinement: Confinement? = nil, onLeave: @escaping @Sendable (LatestOutbox) -> Void = { _ in }
    ) {
        (self.query, self.identity, self.confinement) = (query, identity, confinement)
        self.isSQLite = isSQLite
        maintainer = query.maintainer?(StoreRules(isSQLite: isSQLite))
        let cancellation = CancellationFlag()
        self.cancellation = cancellation
        source = LatestSource(isSame: query.isSame, onLeave: onLeave, onAbandon: { cancellation.cancel() })
    }

    var use: [String: RowFilter]? { maintainer == nil ? nil : query.use }

    var due: Date? { timeOfRead?.addingTimeInterval(Self.interval) ?? maintainer?.due }

    func advance(to time: Date) -> UpdateEffect {
        confinement?.assertHeld()
        guard let timeOfRead else { return maintainer?.advance(to: time) ?? .unaffected }
        return abs(time.timeIntervalSince(timeOfRead)) >= Self.interval ? .needsReread : .unaffected
    }

    func refresh(in transaction: ReadTransaction, commit: Int, isRefill: Bool) throws -> FanOut? {
        confinement?.assertHeld()
        if !isRefill { try prepare(for: transaction.session.connection) }
        guard let maintainer else { return try read(transaction, commit) }
        do {
            let filled = try isRefill ? maintainer.refill(in: transaction) : maintainer.fill(in: transaction)
            guard let value = filled else { return try read(transaction, commit) }
            noteTime(of: transaction, isFollowed: maintainer.due != nil)
            return send(value, commit, isSame: last.map { query.isSame($0, value) } ?? false)
        } catch let error as RepositoryError {
            // A maintainer also reads rows beyond the query's limit, and may bind more values, so it may fail where the
            // query does not. Such a failure is thrown only if the query itself fails, too.
            switch error {
            // On a server, the failure has ended the transaction, so the error of the query would not name the reason.
            case .overflow, .tooBig: do { return try read(transaction, commit) } catch _ { throw error }
            case .decoding, .bodyThrew: return try read(transaction, commit)
            default: throw error
            }
        }
    }

    /// Makes a new maintainer if the layouts of foreign tables have changed since the maintainer was made.
    private func prepare(for connection: any StoreConnection) throws {
        guard let make = query.maintainer else { return }
        let found = try connection.foreignLayouts(of: Set(query.use.keys))
        // A maintainer remembers its failures and measurements, so it is kept while the layouts are the same.
        if found?.count == layouts?.count, (found ?? [:]).allSatisfy({ layouts?[$0.key] === $0.value }) { return }
        layouts = found
        maintainer = found.flatMap { make(StoreRules(isSQLite: isSQLite, layouts: $0)) }
    }

    private func read(_ transaction: ReadTransaction, _ commit: Int) throws -> FanOut? {
        defer { noteTime(of: transaction, isFollowed: false) }
        let isDifferent = try query.read(transaction, &last)
        return last.flatMap { send($0, commit, isSame: !isDifferent) }
    }

    private func noteTime(of transaction: ReadTransaction, isFollowed: Bool) {
        timeOfRead = transaction.session.hasUsedTime && !isFollowed ? transaction.session.time : nil
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

    /// Returns the delivery of a value to the subscriptions that do not have it, or `nil`.
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
