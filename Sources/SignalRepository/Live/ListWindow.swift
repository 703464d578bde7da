/// What a live list holds of a query's result, and how it reads that.
struct ListWindow<Item: Entity>: Sendable {
    /// The most items that may be before the offset: with more of them, reading again costs less to hold.
    static var deepestOffset: Int { 10_000 }

    let test: StoredTest?
    let order: ListOrder
    let offset: Int
    let limit: Int?
    /// Whether the list is in the order of the table's rows.
    let isInTableOrder: Bool
    /// The columns of the sort keys, and those of a composite key but its last.
    let columns: [String]
    private let sql: QuerySQL
    /// The columns of the statement that make a key, and the last of them.
    private let keyColumns: [Int]
    private let lastColumn: Int

    /// How many items are needed for what shows.
    var needed: Int { offset + (limit ?? 0) }

    /// How many items are read; `nil` for all.
    var capacity: Int? { Self.capacity(offset, limit) }

    private static func capacity(_ offset: Int, _ limit: Int?) -> Int? {
        limit.map { offset + $0 + max(16, $0 / 4) }
    }

    /// `nil` when the list cannot be kept; without sort keys it is in the order of the table, or of the key where a
    /// table has no order of its own.
    init?(_ query: FetchQuery<Item>, hasRowOrder: Bool = true) throws(RepositoryError) {
        (offset, limit) = (query.offset ?? 0, query.limit)
        // A list that is longer than any table is one without a limit.
        guard offset <= Self.deepestOffset, limit.map({ $0 > 0 && $0 < 1 << 32 }) ?? true else { return nil }
        test = try query.condition?.stored()
        let keys = query.sortKeys
        isInTableOrder = keys.isEmpty && hasRowOrder
        var columns: [String] = []
        for key in keys {
            // What is computed of a row is for the store to say.
            guard let column = try key.column() else { return nil }
            columns.append(column.name)
        }
        let key = try Item.schema.key.names
        if !isInTableOrder { columns += key.dropLast() }
        self.columns = columns
        order = ListOrder(
            isDescending: columns.indices.map { keys.indices.contains($0) && keys[$0].direction == .descending })
        let names = Item.schema.names
        keyColumns = columns.compactMap { names.firstIndex(of: $0) }
        lastColumn = isInTableOrder ? names.count : key.last.flatMap { names.firstIndex(of: $0) } ?? names.count
        var held = query
        held.offset = nil
        held.limit = Self.capacity(offset, limit)
        sql = QuerySQL { [held, isInTableOrder] dialect throws(RepositoryError) in
            try dialect.select(held, adding: isInTableOrder ? [.rowNumber(table: nil)] : [])
        }
    }

    /// Reads the items that are held, with their keys.
    ///
    /// A row that cannot be decoded, and does not show, is left out: the query itself would not read it.
    func read(in transaction: ReadTransaction) throws(RepositoryError) -> HeldItems<Item> {
        let statement = try transaction.session.statement(sql)
        return try transaction.query(statement) { statement throws(RepositoryError) in
            var (held, row) = (HeldItems<Item>(), 0)
            try statement.forEach { statement throws(RepositoryError) in
                defer { row += 1 }
                let isBefore = row < offset
                do throws(RepositoryError) {
                    held.items.append(try statement.item(Item.schema))
                } catch {
                    guard case .decoding = error, isBefore || limit.map({ row >= offset + $0 }) == true else {
                        throw error
                    }
                    held.isWhole = false
                    return
                }
                if isBefore { held.before += 1 }
                var values: [SQLValue] = []
                for column in keyColumns { values.append(try statement.value(at: column)) }
                held.keys.append(ListKey(values, try statement.value(at: lastColumn)))
            }
            return held
        }
    }
}

/// The items that a live list has read, in their order.
struct HeldItems<Item> {
    var items: [Item] = []
    var keys: [ListKey] = []
    /// How many of them are before the offset.
    var before = 0
    /// Whether none is missing.
    var isWhole = true
}

/// What a live list takes of the rows of a table.
struct ListRows<Item: Entity> {
    let reader: RowReader<Item>
    private let test: RowTest?
    private let sortColumns: [Int]
    /// The last column of the primary key; `nil` for a list in the order of the table.
    private let keyColumn: Int?

    /// `nil` when rows of the table do not tell all that is needed.
    init?(_ window: ListWindow<Item>, _ layout: TableLayout) {
        guard let reader = RowReader<Item>(layout), layout.hasRowID || !window.isInTableOrder else { return nil }
        self.reader = reader
        sortColumns = window.columns.compactMap { layout.index(of: $0) }
        test = window.test?.rowTest(layout)
        keyColumn = window.isInTableOrder ? nil : layout.key.last
        guard sortColumns.count == window.columns.count, (test == nil) == (window.test == nil) else { return nil }
    }

    /// The key of a row in the list; `nil` when it does not pass.
    func key(of row: [SQLValue], _ rowID: Int64) -> ListKey? {
        if let test, !test.passes(row) { return nil }
        return ListKey(sortColumns.map { row[$0] }, keyColumn.map { row[$0] } ?? .integer(rowID))
    }
}
