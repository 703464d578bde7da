/// What keeps an aggregate up to date by the rows that change: how its state is read, and how rows are taken for it.
struct AggregateUpkeep: Sendable {
    /// The statement that reads the state of each group.
    let sql: SQLText
    /// The terms of the state: those of the function, and the counts that tell when a group or its values are gone.
    let terms: [AggregateTerm]
    let test: StoredTest?
    let table: String
    private let column: String?
    private let key: String?

    init<Item: Entity>(
        _ function: [AggregateTerm], of column: String?, entity: Item.Type, where condition: Condition<Item>?,
        groupedBy key: String?
    ) throws(RepositoryError) {
        (table, self.column, self.key) = (Item.entityName, column, key)
        var terms = [AggregateTerm.rows] + (column == nil ? [] : [.count])
        for term in function where !terms.contains(term) { terms.append(term) }
        self.terms = terms
        test = try condition?.stored()
        sql = try SQLText.aggregate(terms, of: column, entity: Item.self, where: condition, groupedBy: key, .halves)
    }

    /// The state of no rows.
    var empty: AggregateState {
        AggregateState(hasLeast: terms.contains(.minimum), hasGreatest: terms.contains(.maximum))
    }

    /// The statement that reads the first values of a group in their order; of all rows when there are no groups.
    func extremes(isLeast: Bool, of group: SQLValue) throws(RepositoryError) -> SQLText {
        try SQLText.extremes(
            of: column ?? "", in: table, where: test, group: key.map { ($0, group) }, isLeast: isLeast)
    }

    /// The state that a row of the statement gives.
    func state(of row: AggregateRow) throws(RepositoryError) -> AggregateState {
        AggregateState(
            rows: try row.integer(.rows), count: column == nil ? 0 : try row.integer(.count),
            sum: terms.contains(.sum) ? try row.integerSum() : 0, minimum: row.stored(.minimum),
            maximum: row.stored(.maximum))
    }

    /// How rows of a table are taken for the aggregate; `nil` when they do not speak for themselves.
    func rows(of layout: TableLayout) -> AggregateRows? {
        let (place, keyPlace) = (column.flatMap { layout.place(of: $0) }, key.flatMap { layout.place(of: $0) })
        let rowTest = test?.rowTest { layout.place(of: $0) }
        guard (place == nil) == (column == nil), (keyPlace == nil) == (key == nil), (rowTest == nil) == (test == nil)
        else { return nil }
        return AggregateRows(layout, rowTest, place, keyPlace)
    }
}

/// What an aggregate takes of the rows of a table.
struct AggregateRows {
    /// The value of a row that passes, and the key of its group.
    struct Part: Equatable {
        let key: SQLValue
        let value: SQLValue
    }

    let layout: TableLayout
    private let test: RowTest?
    private let column: Int?
    private let key: Int?

    init(_ layout: TableLayout, _ test: RowTest?, _ column: Int?, _ key: Int?) {
        (self.layout, self.test, self.column, self.key) = (layout, test, column, key)
    }

    /// `nil` when the row does not pass.
    func part(of row: [SQLValue]) -> Part? {
        if let test, !test.passes(row) { return nil }
        return Part(key: key.map { row[$0] } ?? .null, value: column.map { row[$0] } ?? .null)
    }
}

extension AggregateState {
    /// The values of terms, as SQLite would give them.
    func values(of terms: [AggregateTerm]) -> [SQLValue] {
        terms.flatMap { term -> [SQLValue] in
            switch term {
            case .rows: [.integer(Int64(rows))]
            case .count: [.integer(Int64(count))]
            case .sum where count == 0: [.null, .null]
            case .sum: [.integer(Int64(truncatingIfNeeded: sum >> 32)), .integer(Int64(sum & 0xFFFF_FFFF))]
            case .minimum: [least?.extreme ?? .null]
            case .maximum: [greatest?.extreme ?? .null]
            default: []
            }
        }
    }

    /// Whether there is a state that tells the terms.
    static func tells(_ terms: [AggregateTerm]) -> Bool {
        Set(terms).isSubset(of: [.rows, .count, .sum, .minimum, .maximum])
    }
}
