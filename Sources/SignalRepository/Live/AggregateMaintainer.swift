/// Keeps an aggregate of each group by taking the old row of a change out and the new one in.
///
/// It holds the groups, never rows. What cannot be had by taking out is read anew: the least or greatest value, when
/// the rows are gone that were known to hold the first ones.
final class AggregateMaintainer<Item: Entity, Function: Sendable & Equatable, Element, Output>: Maintainer {
    /// How an output is made of the values of the groups, which are in the order of their keys.
    struct Form {
        let element: (SQLValue, Function) throws -> Element
        let output: ([Element]) throws -> Output
    }

    var use: LiveUse { LiveUse(table: upkeep.table, filter: upkeep.test?.filter ?? .any) }
    var comparesOutput: Bool { false }

    private let aggregation: Aggregation<Item, Function>
    private let upkeep: AggregateUpkeep
    private let form: Form
    private var groups: AggregateGroups?
    private var rows: AggregateRows?
    /// What was last made of each group, and their keys.
    private var elements: [Element] = []
    private var keys: [SQLValue] = []

    init(_ aggregation: Aggregation<Item, Function>, _ upkeep: AggregateUpkeep, _ form: Form) {
        (self.aggregation, self.upkeep, self.form) = (aggregation, upkeep, form)
    }

    func fill(in transaction: ReadTransaction) throws -> Output {
        groups = nil
        let states = try aggregation.states(upkeep, in: transaction)
        let filled = AggregateGroups(states, empty: upkeep.empty, isGrouped: aggregation.isGrouped)
        (elements, keys) = ([], [])
        let output = try result(filled)
        groups = filled
        groups?.settle()
        return output
    }

    func refill(in transaction: ReadTransaction) throws -> Output {
        guard var filled = groups else { return try fill(in: transaction) }
        for key in filled.unknown {
            guard let state = filled.state(of: key) else { continue }
            let least = try state.least.map { _ in try extremes(of: key, isLeast: true, in: transaction) }
            let greatest = try state.greatest.map { _ in try extremes(of: key, isLeast: false, in: transaction) }
            filled.replace(key, least: least, greatest: greatest)
        }
        groups = filled
        return try settled()
    }

    /// Reads the first values of a group in their order.
    private func extremes(of key: SQLValue, isLeast: Bool, in transaction: ReadTransaction) throws -> Extremes {
        let sql = try upkeep.extremes(isLeast: isLeast, of: key)
        return try transaction.query(transaction.session.statement(sql)) { statement throws(RepositoryError) in
            var values: [SQLValue] = []
            while try statement.step() { values.append(try statement.value(at: 0)) }
            return Extremes(isLeast: isLeast, values, isWhole: values.count < Extremes.few)
        }
    }

    func apply(_ changes: TableChanges) -> Patch {
        guard groups != nil else { return .lost }
        if rows?.layout !== changes.layout { rows = upkeep.rows(of: changes.layout) }
        guard let rows, let isAffected = groups?.apply(changes.changes, rows) else {
            groups = nil
            return .lost
        }
        if groups?.unknown.isEmpty == false { return .usedUp }
        return isAffected ? .patched : .unaffected
    }

    func output() throws -> Output? { try settled() }

    private func settled() throws -> Output {
        guard let groups else { throw RepositoryError.misuse(detail: "the aggregate is not filled") }
        let output = try result(groups)
        self.groups?.settle()
        return output
    }

    /// Makes the elements anew of those groups that have changed.
    private func result(_ groups: AggregateGroups) throws -> Output {
        if groups.isReordered {
            var (made, place) = ([Element](), 0)
            made.reserveCapacity(groups.order.count)
            for key in groups.order {
                while place < keys.count, keys[place].precedes(key) { place += 1 }
                let isThere = place < keys.count && keys[place] == key && !groups.changed.contains(key)
                made.append(isThere ? elements[place] : try element(key, groups))
            }
            (elements, keys) = (made, groups.order)
        } else {
            for key in groups.changed { elements[groups.place(of: key)] = try element(key, groups) }
        }
        return try form.output(elements)
    }

    private func element(_ key: SQLValue, _ groups: AggregateGroups) throws -> Element {
        guard let state = groups.state(of: key) else { throw RepositoryError.misuse(detail: "a group is missing") }
        return try form.element(key, try aggregation.output(of: state))
    }
}
