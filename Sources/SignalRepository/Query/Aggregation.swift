/// A function over a column of the items that pass a condition, ready to be executed: the one aggregate engine.
struct Aggregation<Item: Entity, Output: Sendable & Equatable>: Sendable {
    private let sql: SQLText
    /// The same with sums in two halves, for when SQLite's own integer is too small on the way.
    private let wideSQL: SQLText?
    private let column: AggregateColumn
    private let terms: [AggregateTerm]
    private let isGrouped: Bool
    private let keyScale: Int
    private let output: @Sendable (AggregateRow) throws(RepositoryError) -> Output

    init<Value>(
        _ function: AggregateFunction<Value, Output>, of path: ColumnPath<Item>?, where condition: Condition<Item>?,
        groupedBy key: ColumnPath<Item>? = nil
    ) throws(RepositoryError) {
        let column = try path.map { path throws(RepositoryError) in try Item.schema.column(for: path) }
        let key = try key.map { key throws(RepositoryError) in try Item.schema.column(for: key) }
        let isReal = column?.storageClass == .real
        self.column = AggregateColumn(
            entity: Item.entityName, name: column?.name ?? "", scale: column?.scale ?? 0, isReal: isReal)
        let needsCount = isReal && function.terms.contains(.sum) && !function.terms.contains(.count)
        terms = function.terms + (needsCount ? [.count] : [])
        isGrouped = key != nil
        keyScale = key?.scale ?? 0
        output = function.output
        sql = try SQLText.aggregate(
            terms, of: column?.name, entity: Item.self, where: condition, groupedBy: key?.name, isWide: false)
        let canBeWide = terms.contains(.sum) && column?.storageClass == .integer
        wideSQL =
            try canBeWide
            ? SQLText.aggregate(
                terms, of: column?.name, entity: Item.self, where: condition, groupedBy: key?.name, isWide: true)
            : nil
    }

    /// Executes it over all items.
    func value(in transaction: ReadTransaction) throws(RepositoryError) -> Output {
        let values = try execute(in: transaction) { row throws(RepositoryError) in try output(row) }
        guard let value = values.first else { throw .misuse(detail: "an aggregate over everything has one row") }
        return value
    }

    /// Executes it for each group, in the order of the keys.
    func groups<Key: ColumnValue & Equatable>(
        by key: Key.Type, in transaction: ReadTransaction
    ) throws(RepositoryError) -> [Grouped<Key, Output>] {
        try execute(in: transaction) { row throws(RepositoryError) in
            Grouped(key: try row.statement.value(Key.self, at: 0, scale: keyScale), value: try output(row))
        }
    }

    private func execute<Row>(
        in transaction: ReadTransaction, _ read: (AggregateRow) throws(RepositoryError) -> Row
    ) throws(RepositoryError) -> [Row] {
        try transaction.checkUsable()
        do {
            return try rows(in: transaction, sql, isWide: false, read)
        } catch {
            guard let wideSQL, SQLText.isIntegerOverflow(error) else { throw error }
            return try rows(in: transaction, wideSQL, isWide: true, read)
        }
    }

    private func rows<Row>(
        in transaction: ReadTransaction, _ sql: SQLText, isWide: Bool,
        _ read: (AggregateRow) throws(RepositoryError) -> Row
    ) throws(RepositoryError) -> [Row] {
        let statement = try transaction.session.statement(sql)
        let row = AggregateRow(statement: statement, places: places(isWide: isWide), column: column, isWide: isWide)
        return try transaction.query(statement) { statement throws(RepositoryError) in
            var rows: [Row] = []
            while try statement.step() { rows.append(try read(row)) }
            return rows
        }
    }

    private func places(isWide: Bool) -> [AggregateTerm: Int] {
        var places: [AggregateTerm: Int] = [:]
        var place = isGrouped ? 1 : 0
        for term in terms {
            places[term] = place
            place += isWide && term == .sum ? 2 : 1
        }
        return places
    }
}
