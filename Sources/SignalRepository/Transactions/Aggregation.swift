/// A function over a column of the items that meet a condition, ready to be executed: the one aggregate engine.
struct Aggregation<Item: Entity, Output: Sendable & Equatable>: Sendable {
    let sql: QuerySQL
    let terms: [AggregateTerm]
    let column: AggregateColumn
    let columnName: String?
    let condition: Condition<Item>?
    let keyName: String?
    let keyScale: Int
    let output: @Sendable (AggregateRow) throws(RepositoryError) -> Output

    init<Value>(
        _ function: AggregateFunction<Value, Output>, of path: ColumnPath<Item>?, where condition: Condition<Item>?,
        groupedBy key: ColumnPath<Item>? = nil
    ) throws(RepositoryError) {
        let column = try path.map { path throws(RepositoryError) in try Item.schema.column(for: path) }
        let key = try key.map { key throws(RepositoryError) in try Item.schema.column(for: key) }
        // A number of items says nothing about how they are stored.
        if !function.terms.allSatisfy({ $0 == .count || $0 == .rows }) { try column?.checkPlain() }
        try key?.checkPlain()
        let isReal = column?.storageClass == .real
        self.column = AggregateColumn(
            entity: Item.entityName, name: column?.name ?? "", scale: column?.scale ?? 0, isReal: isReal,
            isInteger: column?.storageClass == .integer, isOptional: column?.isOptional ?? false)
        let needsCount = isReal && function.terms.contains(.sum) && !function.terms.contains(.count)
        terms = function.terms + (needsCount ? [.count] : [])
        (columnName, keyName, keyScale) = (column?.name, key?.name, key?.scale ?? 0)
        self.condition = condition
        output = function.output
        sql = QuerySQL { [terms, columnName, keyName] dialect throws(RepositoryError) in
            try dialect.aggregate(
                terms, of: columnName, entity: Item.self, where: condition, groupedBy: keyName, nil)
        }
    }

    var isGrouped: Bool { keyName != nil }

    /// The statement of some terms; where it is wide, sums cannot overflow their type on the way, and take longer.
    func statement(_ terms: [AggregateTerm], isWide: Bool) -> QuerySQL {
        QuerySQL { [columnName, condition, keyName, column] dialect throws(RepositoryError) in
            try dialect.aggregate(
                terms, of: columnName, entity: Item.self, where: condition, groupedBy: keyName,
                !isWide ? nil : column.isReal ? .infinities : .halves)
        }
    }

    /// The function over the rows of a query that is whole.
    init(_ function: AggregateFunction<Never, Output>, ofRowsOf query: FetchQuery<Item>) throws(RepositoryError) {
        guard query.limit == nil, query.offset == nil else {
            throw .misuse(detail: "a part of a result is counted by reading it")
        }
        try self.init(function, of: nil, where: query.condition)
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

    /// Reads a key of a group.
    func key<Key: ColumnValue>(_ type: Key.Type, of value: SQLValue) throws(RepositoryError) -> Key {
        try AggregateRow(values: [value], offsets: [:], column: column, isWide: false)
            .read(type, at: 0, scale: keyScale)
    }

    private func execute<Row>(
        in transaction: ReadTransaction, _ read: (AggregateRow) throws(RepositoryError) -> Row
    ) throws(RepositoryError) -> [Row] {
        try execute(sql, terms, in: transaction, read)
    }

    /// Executes a statement of some terms, and, where a sum overflows its type on the way, the wide one.
    func execute<Row>(
        _ sql: QuerySQL, _ terms: [AggregateTerm], in transaction: ReadTransaction,
        _ read: (AggregateRow) throws(RepositoryError) -> Row
    ) throws(RepositoryError) -> [Row] {
        try transaction.checkUsable()
        do throws(RepositoryError) {
            return try rows(in: transaction, sql, terms, isWide: false, read)
        } catch .decoding(_, _, let detail, _) {
            throw .decoding(entity: column.entity, column: column.name, detail: detail)
        } catch {
            guard case .overflow = error, terms.contains(.sum), column.isReal || column.isInteger else { throw error }
            // Whether the sum was the cause shows in the form whose sums cannot overflow.
            do throws(RepositoryError) {
                return try rows(in: transaction, statement(terms, isWide: true), terms, isWide: true, read)
            } catch .decoding(_, _, let detail, _) {
                throw .decoding(entity: column.entity, column: column.name, detail: detail)
            } catch .overflow where !column.isReal {
                throw error
            }
        }
    }

    private func rows<Row>(
        in transaction: ReadTransaction, _ sql: QuerySQL, _ terms: [AggregateTerm], isWide: Bool,
        _ read: (AggregateRow) throws(RepositoryError) -> Row
    ) throws(RepositoryError) -> [Row] {
        let offsets = AggregateRow.offsets(of: terms, from: isGrouped ? 1 : 0, isWide: isWide)
        let statement = try transaction.session.statement(sql)
        return try transaction.query(statement) { statement throws(RepositoryError) in
            try statement.all { row throws(RepositoryError) in
                try read(AggregateRow(values: try row.values(), offsets: offsets, column: column, isWide: isWide))
            }
        }
    }
}
