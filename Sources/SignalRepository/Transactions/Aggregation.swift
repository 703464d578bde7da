/// A function over a column of the items that meet a condition, ready to be executed: the one aggregate engine.
struct Aggregation<Item: Entity, Output: Sendable & Equatable>: Sendable {
    /// What is needed to keep a live result up to date by the rows that change; `nil` when that would not be exact.
    let upkeep: AggregateUpkeep?
    let isGrouped: Bool
    let sql: SQLText
    /// The same, for when SQLite's own sum overflows its type on the way.
    private let wideSQL: SQLText?
    private let column: AggregateColumn
    private let terms: [AggregateTerm]
    /// Where the terms of a state stand that is not grouped.
    private let statePlaces: [AggregateTerm: Int]
    private let keyScale: Int
    private let output: @Sendable (AggregateRow) throws(RepositoryError) -> Output

    init<Value>(
        _ function: AggregateFunction<Value, Output>, of path: ColumnPath<Item>?, where condition: Condition<Item>?,
        groupedBy key: ColumnPath<Item>? = nil, isLive: Bool = false
    ) throws(RepositoryError) {
        let column = try path.map { path throws(RepositoryError) in try Item.schema.column(for: path) }
        let key = try key.map { key throws(RepositoryError) in try Item.schema.column(for: key) }
        // A number of items says nothing about how they are stored.
        if !function.terms.allSatisfy({ $0 == .count || $0 == .rows }) { try column?.checkPlain() }
        try key?.checkPlain()
        let isReal = column?.storageClass == .real
        self.column = AggregateColumn(
            entity: Item.entityName, name: column?.name ?? "", scale: column?.scale ?? 0, isReal: isReal)
        let needsCount = isReal && function.terms.contains(.sum) && !function.terms.contains(.count)
        terms = function.terms + (needsCount ? [.count] : [])
        isGrouped = key != nil
        keyScale = key?.scale ?? 0
        output = function.output
        sql = try SQLText.aggregate(
            terms, of: column?.name, entity: Item.self, where: condition, groupedBy: key?.name, nil)
        let canBeWide = terms.contains(.sum) && (isReal || column?.storageClass == .integer)
        statePlaces = Self.places(of: terms, from: 0, isWide: true)
        upkeep =
            try !isLive || isReal && terms.contains(.sum) || !AggregateState.tells(terms)
            ? nil
            : AggregateUpkeep(terms, of: column?.name, entity: Item.self, where: condition, groupedBy: key?.name)
        wideSQL =
            try canBeWide
            ? SQLText.aggregate(
                terms, of: column?.name, entity: Item.self, where: condition, groupedBy: key?.name,
                isReal ? .infinities : .halves)
            : nil
    }

    /// A live function of the rows of a query, which is whole.
    init(_ function: AggregateFunction<Never, Output>, ofRowsOf query: FetchQuery<Item>) throws(RepositoryError) {
        guard query.limit == nil, query.offset == nil else {
            throw .misuse(detail: "a part of a result is counted by reading it")
        }
        try self.init(function, of: nil, where: query.condition, isLive: true)
    }

    /// Executes the function over all items.
    func value(in transaction: ReadTransaction) throws(RepositoryError) -> Output {
        let values = try execute(in: transaction) { row throws(RepositoryError) in try output(row) }
        guard let value = values.first else { throw .misuse(detail: "an aggregate over everything has one row") }
        return value
    }

    /// Executes the function for each group, in the order of the keys.
    func groups<Key: ColumnValue & Equatable>(
        by key: Key.Type, in transaction: ReadTransaction
    ) throws(RepositoryError) -> [Grouped<Key, Output>] {
        try execute(in: transaction) { row throws(RepositoryError) in
            Grouped(key: try row.read(Key.self, at: 0, scale: keyScale), value: try output(row))
        }
    }

    /// Executes it for what is needed to keep it up to date: the state of each group by its key, NULL for all items.
    func states(
        _ upkeep: AggregateUpkeep, in transaction: ReadTransaction
    ) throws(RepositoryError) -> [SQLValue: AggregateState] {
        try transaction.checkUsable()
        let places = Self.places(of: upkeep.terms, from: isGrouped ? 1 : 0, isWide: true)
        let rows = try rows(in: transaction, upkeep.sql, places, isWide: true) { row throws(RepositoryError) in
            (isGrouped ? row.values[0] : .null, try upkeep.state(of: row))
        }
        return Dictionary(rows) { first, _ in first }
    }

    /// What is made of a state of one group.
    func output(of state: AggregateState) throws(RepositoryError) -> Output {
        try output(AggregateRow(values: state.values(of: terms), places: statePlaces, column: column, isWide: true))
    }

    /// Reads a key of a group.
    func key<Key: ColumnValue>(_ type: Key.Type, of value: SQLValue) throws(RepositoryError) -> Key {
        try AggregateRow(values: [value], places: [:], column: column, isWide: false).read(type, at: 0, scale: keyScale)
    }

    private func execute<Row>(
        in transaction: ReadTransaction, _ read: (AggregateRow) throws(RepositoryError) -> Row
    ) throws(RepositoryError) -> [Row] {
        try transaction.checkUsable()
        do {
            return try rows(in: transaction, sql, places(isWide: false), isWide: false, read)
        } catch {
            guard let wideSQL, mayBeOverflow(error) else { throw error }
            do throws(RepositoryError) {
                return try rows(in: transaction, wideSQL, places(isWide: true), isWide: true, read)
            } catch .overflow where !column.isReal {
                // So the sum was not the cause.
                throw error
            }
        }
    }

    /// Whether a sum may have overflowed its type, on the way or in the end.
    ///
    /// Whether the sum was the cause shows in the form whose sums cannot overflow.
    private func mayBeOverflow(_ error: RepositoryError) -> Bool {
        switch error {
        case .overflow: true
        default: false
        }
    }

    private func rows<Row>(
        in transaction: ReadTransaction, _ sql: SQLText, _ places: [AggregateTerm: Int], isWide: Bool,
        _ read: (AggregateRow) throws(RepositoryError) -> Row
    ) throws(RepositoryError) -> [Row] {
        let statement = try transaction.session.statement(sql)
        return try transaction.query(statement) { statement throws(RepositoryError) in
            try statement.all { row throws(RepositoryError) in
                try read(AggregateRow(values: try row.values(), places: places, column: column, isWide: isWide))
            }
        }
    }

    private func places(isWide: Bool) -> [AggregateTerm: Int] {
        Self.places(of: terms, from: isGrouped ? 1 : 0, isWide: isWide)
    }

    /// Where terms stand, of which a wide sum has two columns.
    private static func places(of terms: [AggregateTerm], from start: Int, isWide: Bool) -> [AggregateTerm: Int] {
        var places: [AggregateTerm: Int] = [:]
        var place = start
        for term in terms {
            places[term] = place
            place += isWide && term == .sum ? 2 : 1
        }
        return places
    }
}
