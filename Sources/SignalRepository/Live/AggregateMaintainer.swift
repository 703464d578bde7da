/// Keeps an aggregate of each group by taking the old row of a change out and the new one in.
///
/// It holds the groups, never rows. What cannot be had by taking out is read again: the least or greatest value, when
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
            let values = try statement.all { row throws(RepositoryError) in try row.value(at: 0) }
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

    /// Makes the elements again of those groups that have changed.
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

/// The states of the groups of an aggregate, which take rows in and out.
///
/// It knows nothing of items and outputs, so that the compiler makes one fast form of it.
private struct AggregateGroups {
    private var states: [SQLValue: AggregateState]
    /// The group whose rows changed last: many rows of a commit are often of one group.
    private var current: (key: SQLValue, state: AggregateState)?
    /// The keys in their order.
    private(set) var order: [SQLValue]
    /// The groups that have changed since `settle()`.
    private(set) var changed: Set<SQLValue> = []
    /// The groups of which an extreme is not known any more.
    private(set) var unknown: Set<SQLValue> = []
    /// Whether groups have come or gone since `settle()`.
    private(set) var isReordered = true
    private let empty: AggregateState
    private let keepsEmpty: Bool

    /// Without groups, there is one state, which stays when its rows have gone.
    init(_ states: [SQLValue: AggregateState], empty: AggregateState, isGrouped: Bool) {
        (self.states, self.empty, keepsEmpty) = (states, empty, !isGrouped)
        order = states.keys.sorted { $0.precedes($1) }
    }

    /// Notes that what has changed so far has been dealt with.
    mutating func settle() { (changed, isReordered) = ([], false) }

    /// The state of a group.
    func state(of key: SQLValue) -> AggregateState? {
        if let current, current.key == key { return current.state }
        return states[key]
    }

    /// Takes changes in; `nil` when they do not fit what was known, otherwise whether anything has changed.
    mutating func apply(_ changes: [RowChange], _ rows: AggregateRows) -> Bool? {
        var isAffected = false
        for change in changes {
            let (old, new) = (change.old.flatMap { rows.part(of: $0) }, change.new.flatMap { rows.part(of: $0) })
            if old == new { continue }
            isAffected = true
            if let old, !remove(old) { return nil }
            if let new { add(new) }
        }
        putBack()
        return isAffected
    }

    /// Replaces the extremes of a group.
    mutating func replace(_ key: SQLValue, least: Extremes?, greatest: Extremes?) {
        putBack()
        guard var state = states[key] else { return }
        (state.least, state.greatest) = (least, greatest)
        states[key] = state
        changed.insert(key)
        unknown.remove(key)
    }

    private mutating func remove(_ part: AggregateRows.Part) -> Bool {
        guard turn(to: part.key), current?.state.remove(part.value) == true, let state = current?.state else {
            return false
        }
        if state.rows == 0 && !keepsEmpty {
            (current, isReordered) = (nil, true)
            states[part.key] = nil
            changed.remove(part.key)
            unknown.remove(part.key)
            order.remove(at: place(of: part.key))
        } else if !state.isKnown {
            unknown.insert(part.key)
        }
        return true
    }

    private mutating func add(_ part: AggregateRows.Part) {
        if !turn(to: part.key) {
            order.insert(part.key, at: place(of: part.key))
            (current, isReordered) = ((part.key, empty), true)
            changed.insert(part.key)
        }
        current?.state.add(part.value)
    }

    /// Makes a group the current one; false when there is none with the key.
    private mutating func turn(to key: SQLValue) -> Bool {
        if let current, current.key == key { return true }
        putBack()
        guard let state = states.removeValue(forKey: key) else { return false }
        current = (key, state)
        changed.insert(key)
        return true
    }

    private mutating func putBack() {
        guard let last = current.take() else { return }
        states[last.key] = last.state
    }

    /// Where a key stands among the others, or would.
    func place(of key: SQLValue) -> Int {
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if order[middle].precedes(key) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
