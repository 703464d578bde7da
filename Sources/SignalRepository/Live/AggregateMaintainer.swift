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

    let use: LiveUse

    private let aggregation: Aggregation<Item, Function>
    private let form: Form
    /// The terms of a group's state: those of the function, and the counts that tell when it or its values are gone.
    private let terms: [AggregateTerm]
    private let test: StoredTest?
    /// The statement that reads the state of each group.
    private let sql: QuerySQL
    /// Where the function's terms stand in what is made of a state.
    private let offsets: [AggregateTerm: Int]
    private var groups: AggregateGroups?
    private var rows = PerLayout<AggregateRows>()
    /// What was last made of each group, and their keys.
    private var elements: [Element] = []
    private var keys: [SQLValue] = []

    init(_ aggregation: Aggregation<Item, Function>, _ form: Form) throws(RepositoryError) {
        (self.aggregation, self.form) = (aggregation, form)
        let counts = aggregation.countsOfState
        terms = counts + aggregation.terms.filter { !counts.contains($0) }
        test = try aggregation.condition?.stored()
        use = LiveUse(table: Item.entityName, filter: test?.rowFilter ?? .any)
        sql = aggregation.statement(terms, isWide: false)
        offsets = AggregateRow.offsets(of: aggregation.terms, from: 0, isWide: true)
    }

    func fill(in transaction: ReadTransaction) throws -> Output {
        groups = nil
        let isGrouped = aggregation.isGrouped
        let states = try aggregation.execute(sql, terms, in: transaction) { row throws(RepositoryError) in
            (isGrouped ? row.values[0] : .null, try AggregateState(row, terms))
        }
        let empty = AggregateState(
            hasLeast: terms.contains(.minimum), hasGreatest: terms.contains(.maximum), isCounted: terms.contains(.rows))
        let filled = AggregateGroups(Dictionary(states) { first, _ in first }, empty: empty, isGrouped: isGrouped)
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
        let sql = try transaction.session.dialect.extremes(
            of: aggregation.column.name, in: Item.entityName, where: test,
            group: aggregation.keyName.map { ($0, key) }, isLeast: isLeast, limit: Extremes.few)
        return try transaction.query(transaction.session.statement(sql)) { statement throws(RepositoryError) in
            let values = try statement.all { row throws(RepositoryError) in try row.value(at: 0) }
            return Extremes(isLeast: isLeast, values, isWhole: values.count < Extremes.few)
        }
    }

    func apply(_ changes: TableChanges) -> Patch {
        guard groups != nil else { return .lost }
        let rows = rows.made(of: changes.layout) {
            AggregateRows($0, test, aggregation.columnName, aggregation.keyName)
        }
        guard let rows, let isAffected = groups?.apply(changes.changes, rows) else {
            groups = nil
            return .lost
        }
        if groups?.unknown.isEmpty == false { return .usedUp }
        return isAffected ? .patched : .unaffected
    }

    func output() throws -> Output? { try settled() }

    private func settled() throws -> Output {
        // Taken out for the time being: what is held twice would be copied.
        guard var current = groups.take() else { throw RepositoryError.misuse(detail: "the aggregate is not filled") }
        defer { groups = current }
        let output = try result(current)
        current.settle()
        return output
    }

    /// Makes the elements again of those groups that have changed.
    private func result(_ groups: AggregateGroups) throws -> Output {
        if groups.isReordered {
            var (made, index) = ([Element](), 0)
            made.reserveCapacity(groups.order.count)
            for key in groups.order {
                while index < keys.count, keys[index].precedes(key) { index += 1 }
                let isThere = index < keys.count && keys[index] == key && !groups.changed.contains(key)
                made.append(isThere ? elements[index] : try element(key, groups))
            }
            (elements, keys) = (made, groups.order)
        } else {
            for key in groups.changed { elements[groups.index(of: key)] = try element(key, groups) }
        }
        return try form.output(elements)
    }

    private func element(_ key: SQLValue, _ groups: AggregateGroups) throws -> Element {
        guard let state = groups.state(of: key) else { throw RepositoryError.misuse(detail: "a group is missing") }
        let row = AggregateRow(
            values: state.values(of: aggregation.terms), offsets: offsets, column: aggregation.column, isWide: true)
        return try form.element(key, try aggregation.output(row))
    }
}

extension Aggregation {
    /// Whether the result can be kept up to date by the rows that change; the sum of floating-point numbers cannot,
    /// because it depends on their order.
    var canBeMaintained: Bool {
        Set(terms).isSubset(of: [.rows, .count, .sum, .minimum, .maximum]) && !(column.isReal && terms.contains(.sum))
    }

    /// What is counted of a group, to know when it or its values are gone.
    ///
    /// To count takes as long as to add up. Where each row has a value, a sum needs its rows alone; and the sum of
    /// everything not even those, because that of nothing is zero.
    fileprivate var countsOfState: [AggregateTerm] {
        if terms == [.sum], !column.isOptional { return isGrouped ? [.rows] : [] }
        return columnName == nil ? [.rows] : [.rows, .count]
    }
}

/// What an aggregate takes of the rows of a table.
private struct AggregateRows {
    /// The value of a row that passes, and the key of its group.
    struct Part: Equatable {
        let key: SQLValue
        let value: SQLValue
    }

    private let test: RowTest?
    private let column: Int?
    private let key: Int?

    /// `nil` when rows of the table do not tell all that is needed.
    init?(_ layout: TableLayout, _ test: StoredTest?, _ column: String?, _ key: String?) {
        self.column = column.flatMap { layout.index(of: $0) }
        self.key = key.flatMap { layout.index(of: $0) }
        self.test = test?.rowTest(layout)
        let isMissing = (self.column == nil) != (column == nil) || (self.key == nil) != (key == nil)
        if isMissing || (self.test == nil) != (test == nil) { return nil }
    }

    /// The part of a row, if there is one.
    func part(ofAny row: [SQLValue]?) throws(RowFault) -> Part? {
        guard let row else { return nil }
        return try part(of: row)
    }

    /// `nil` when the row does not pass.
    private func part(of row: [SQLValue]) throws(RowFault) -> Part? {
        if let test, try !test.passes(row) { return nil }
        return Part(key: key.map { row[$0] } ?? .null, value: column.map { row[$0] } ?? .null)
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
            guard let (old, new) = try? (rows.part(ofAny: change.old), rows.part(ofAny: change.new)) else { return nil }
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
            order.remove(at: index(of: part.key))
        } else if !state.isKnown {
            unknown.insert(part.key)
        }
        return true
    }

    private mutating func add(_ part: AggregateRows.Part) {
        if !turn(to: part.key) {
            order.insert(part.key, at: index(of: part.key))
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

    /// The index of a key in the order, or the one that it would have.
    func index(of key: SQLValue) -> Int { order.partitioningIndex { !$0.precedes(key) } }
}
