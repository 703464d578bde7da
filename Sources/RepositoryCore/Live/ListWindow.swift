/// The part of a query's result that a live list holds in memory, and the statement that reads this part.
struct ListWindow<Item: Entity>: Sendable {
    let test: StoredTest?
    let order: ListOrder
    let extent: ListExtent
    let isInRowOrder: Bool
    /// The sort keys, followed by all columns of the primary key except the last, unless the list is in rowid order.
    let keys: [StoredTerm]
    private let sql: QuerySQL
    /// The statement's columns that hold a list key: all its values except the last, and the last value.
    private let keyColumns: [Int]
    private let lastColumn: Int

    /// Returns `nil` if the list cannot be held in memory.
    ///
    /// Without sort keys, a list is in rowid order or, in a store without rowids, in the order of the primary key.
    init?(_ query: FetchQuery<Item>, hasRowOrder: Bool = true) throws(RepositoryError) {
        guard let extent = ListExtent(query) else { return nil }
        self.extent = extent
        test = try query.condition?.stored()
        let sortKeys = query.sortKeys
        isInRowOrder = sortKeys.isEmpty && hasRowOrder
        let names = Item.schema.names
        var (keys, computed, keyColumns): ([StoredTerm], [StoredTerm], [Int]) = ([], [], [])
        for key in sortKeys {
            let column = try key.column()
            let term = if let column { StoredTerm.column(StoredColumn(column)) } else { try key.term() }
            if case .column(let column) = term {
                keyColumns += names.firstIndex(of: column.name).map { [$0] } ?? []
            } else if term.rowTerm(RowColumns(byCharacters: true) { _ in 0 }) != nil {
                keyColumns.append(names.count + computed.count)
                computed.append(term)
            } else {
                return nil
            }
            keys.append(term)
        }
        let key = try Item.schema.key.names
        if !isInRowOrder {
            keys += key.dropLast().map { .column(StoredColumn($0, of: nil)) }
            keyColumns += key.dropLast().compactMap { names.firstIndex(of: $0) }
        }
        (self.keys, self.keyColumns) = (keys, keyColumns)
        order = ListOrder(
            isDescending: keys.indices.map {
                sortKeys.indices.contains($0) && sortKeys[$0].direction == .descending
            })
        lastColumn = isInRowOrder ? names.count : key.last.flatMap { names.firstIndex(of: $0) } ?? names.count
        var held = query
        held.offset = nil
        held.limit = extent.capacity
        sql = QuerySQL { [held, computed, isInRowOrder] dialect throws(RepositoryError) in
            try dialect.select(held, adding: isInRowOrder ? [.rowNumber(table: nil)] : computed)
        }
    }

    func read(in transaction: ReadTransaction) throws(RepositoryError) -> HeldItems<Item> {
        let statement = try transaction.session.statement(sql)
        return try transaction.query(statement) { statement throws(RepositoryError) in
            try HeldItems(statement, extent) { row throws(RepositoryError) in
                try row.item(Item.schema)
            } key: { row throws(RepositoryError) in
                var values: [SQLValue] = []
                for column in keyColumns { values.append(try row.value(at: column)) }
                return ListKey(values, try row.value(at: lastColumn))
            }
        }
    }
}

/// The items that a live list has read, in the list's order.
struct HeldItems<Item> {
    private(set) var items: [Item] = []
    private(set) var keys: [ListKey] = []
    /// The number of items before the offset.
    private(set) var before = 0
    /// Whether no item was skipped, and no two items have the same list key.
    private(set) var isComplete = true

    /// Reads the rows of a statement.
    ///
    /// A row that cannot be decoded is skipped if the list would not show it, because the query itself would not read
    /// it.
    init(
        _ statement: any StoreStatement, _ extent: ListExtent,
        item: (any StoreStatement) throws(RepositoryError) -> Item,
        key: (any StoreStatement) throws(RepositoryError) -> ListKey
    ) throws(RepositoryError) {
        var row = 0
        try statement.forEach { statement throws(RepositoryError) in
            defer { row += 1 }
            do throws(RepositoryError) {
                items.append(try item(statement))
            } catch {
                guard case .decoding = error, !extent.shows(row) else { throw error }
                isComplete = false
                return
            }
            if row < extent.offset { before += 1 }
            let key = try key(statement)
            // A later change could not tell apart rows with the same list key.
            if keys.last == key { isComplete = false }
            keys.append(key)
        }
    }
}

/// The terms that make list keys and items from the rows of one table layout.
struct ListRows<Item: Entity> {
    let reader: RowReader<Item>
    private let test: RowTest?
    private let keys: [RowTerm]
    /// The index of the primary key's last column; `nil` for a list in rowid order.
    private let keyColumn: Int?

    /// Returns `nil` if the table's rows do not determine the list keys and items.
    init?(_ window: ListWindow<Item>, _ layout: TableLayout) {
        guard let reader = RowReader<Item>(layout), layout.hasRowID || !window.isInRowOrder else { return nil }
        self.reader = reader
        let rowColumns = RowColumns(byCharacters: layout.findsCharacters) { layout.index(of: $0) }
        keys = window.keys.compactMap { $0.rowTerm(rowColumns) }
        test = window.test?.rowTest(layout)
        keyColumn = window.isInRowOrder ? nil : layout.key.last
        guard keys.count == window.keys.count, (test == nil) == (window.test == nil) else { return nil }
    }

    /// Returns the list key of a row; `nil` without a row, or if the condition rejects the row.
    func key(of row: [SQLValue]?, _ rowID: Int64) throws(RowFault) -> ListKey? {
        guard let row else { return nil }
        if let test, try !test.passes(row) { return nil }
        let values = try keys.map { key throws(RowFault) in try key.value(row) }
        return ListKey(values, keyColumn.map { row[$0] } ?? .integer(rowID))
    }
}
