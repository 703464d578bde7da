/// An aggregate over the items of a query: its statement, and the decoding of its rows.
struct Aggregation<Item: Entity, Output: Sendable & Equatable>: Sendable {
    /// The statement, which selects the group's key, if any, and then the aggregate terms.
    let statement: SelectStatement
    let sql: QuerySQL
    private let argument: StoredColumn?
    private let column: AggregateColumn
    private let keyScale: Int
    private let offsets: [AggregateTerm: Int]
    private let output: @Sendable (AggregateRow) throws(RepositoryError) -> Output

    init<Value>(
        _ function: AggregateFunction<Value, Output>, of path: ColumnPath<Item>?, over query: FetchQuery<Item>,
        groupedBy key: ColumnPath<Item>? = nil
    ) throws(RepositoryError) {
        guard query.limit == nil, query.offset == nil else {
            throw .misuse(detail: "an aggregate covers all rows: remove the limit and the offset of the query")
        }
        let column = try path.map { path throws(RepositoryError) in try Item.schema.column(for: path) }
        let key = try key.map { key throws(RepositoryError) in try Item.schema.column(for: key) }
        // Counting reads no value, so it works for any column.
        if !function.terms.allSatisfy({ $0 == .count || $0 == .rows }) { try column?.checkStoredAsOwnType() }
        try key?.checkStoredAsOwnType()
        let isReal = column?.storageClass == .real
        self.column = AggregateColumn(
            entity: Item.entityName, name: column?.name ?? "", scale: column?.scale ?? 0, isReal: isReal)
        // NULL may mean a sum that is NaN, or a sum of no values. The count distinguishes the two cases.
        let needsCount = isReal && function.terms.contains(.sum) && !function.terms.contains(.count)
        let terms = function.terms + (needsCount ? [.count] : [])
        argument = column.map { StoredColumn($0) }
        (keyScale, output) = (key?.scale ?? 0, function.output)
        var query = query
        query.orderings = []
        var statement = try SelectStatement(query)
        let keys = key.map { [StoredTerm.column(StoredColumn($0))] } ?? []
        (statement.groups, statement.groupOutputs) = (keys, keys.count)
        (statement.order, statement.isInRowOrder) = (keys.map { ($0, false) }, false)
        statement.add(keys + terms.map { [argument] in $0.term(argument) })
        offsets = Dictionary(uniqueKeysWithValues: zip(terms, keys.count...))
        self.statement = statement
        sql = QuerySQL { [statement] dialect throws(RepositoryError) in try dialect.select(statement) }
    }

    func value(in transaction: ReadTransaction) throws(RepositoryError) -> Output {
        guard let row = try rows(in: transaction).first else {
            throw .misuse(detail: "an aggregate without groups returned no row")
        }
        return try output(row)
    }

    /// Computes the aggregate for each group, in the order of the keys.
    func groups<Key: ColumnValue & Equatable>(
        by key: Key.Type, in transaction: ReadTransaction
    ) throws(RepositoryError) -> [Grouped<Key, Output>] {
        try rows(in: transaction).map { row throws(RepositoryError) in try group(row) }
    }

    func value(of row: [SQLValue]) throws(RepositoryError) -> Output { try output(self.row(row, offsets)) }

    func group<Key: ColumnValue & Equatable>(of row: [SQLValue]) throws(RepositoryError) -> Grouped<Key, Output> {
        try group(self.row(row, offsets))
    }

    private func group<Key: ColumnValue & Equatable>(
        _ row: AggregateRow
    ) throws(RepositoryError) -> Grouped<Key, Output> {
        Grouped(key: try row.read(Key.self, at: 0, scale: keyScale), value: try output(row))
    }

    private func row(_ values: [SQLValue], _ offsets: [AggregateTerm: Int]) -> AggregateRow {
        AggregateRow(values: values, offsets: offsets, column: column)
    }

    private func rows(in transaction: ReadTransaction) throws(RepositoryError) -> [AggregateRow] {
        try transaction.checkUsable()
        let rows = try rows(sql, offsets, in: transaction)
        guard column.isReal, rows.contains(where: \.isSumNotFinite) else { return rows }
        // The second read also counts stored infinities, to distinguish an overflow of the sum from a stored infinity.
        var statement = statement
        statement.add([AggregateTerm.infinities.term(argument)])
        let sql = QuerySQL { [statement] dialect throws(RepositoryError) in try dialect.select(statement) }
        let all = offsets.merging([.infinities: statement.outputs.count - 1]) { first, _ in first }
        return try self.rows(sql, all, in: transaction)
    }

    private func rows(
        _ sql: QuerySQL, _ offsets: [AggregateTerm: Int], in transaction: ReadTransaction
    ) throws(RepositoryError) -> [AggregateRow] {
        do throws(RepositoryError) {
            return try transaction.query(try transaction.session.statement(sql)) { statement throws(RepositoryError) in
                try statement.all { row throws(RepositoryError) in self.row(try row.values(), offsets) }
            }
        } catch .decoding(_, _, let detail, _) {
            throw .decoding(entity: column.entity, column: column.name, detail: detail)
        }
    }
}

extension SelectStatement {
    fileprivate mutating func add(_ terms: [StoredTerm]) {
        outputs += terms.map { TermValue($0, isOptional: true, .null) }
    }
}

extension AggregateTerm {
    fileprivate func term(_ column: StoredColumn?) -> StoredTerm {
        let arguments = column.map { [StoredTerm.column($0)] } ?? []
        switch self {
        case .rows: return .operation(.count, [])
        case .count: return .operation(.count, arguments)
        case .sum: return .operation(column?.isReal == true ? .total : .exactSum, arguments)
        case .minimum: return .operation(.minimum, arguments)
        case .maximum: return .operation(.maximum, arguments)
        case .infinities:
            let ends = [Double.infinity, -.infinity].compactMap { end in
                column.map { StoredTest.comparison($0, .equal, .real(end)) }
            }
            return .filtered(.count, [], .any(ends))
        }
    }
}
