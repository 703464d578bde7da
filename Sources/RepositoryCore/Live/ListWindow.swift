/// The part of a query's result that a live list holds, and the statement that reads it.
struct ListWindow<Item: Entity>: Sendable {
    let test: StoredTest?
    let order: ListOrder
    let extent: ListExtent
    let isInRowOrder: Bool
    /// The sort keys; unless the list is in row order, all columns of a composite primary key but the last follow.
    let keys: [StoredTerm]
    private let sql: QuerySQL
    /// The indexes of the statement's columns that make a list key, and of its last value.
    private let keyColumns: [Int]
    private let lastColumn: Int

    /// Returns `nil` if the list cannot be held; without sort keys, it is in row order or, if the store's tables have
    /// none, in the order of the primary key.
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

/// The items that a live list has read, in their order.
struct HeldItems<Item> {
    private(set) var items: [Item] = []
    private(set) var keys: [ListKey] = []
    /// The number of items before the offset.
    private(set) var before = 0
    /// Whether no item is missing, and no two have the same key.
    private(set) var isComplete = true

    /// Reads the rows of a statement.
    ///
    /// A row that cannot be decoded and would not be shown is skipped: the query itself would not read it.
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
            // A later change could not tell rows with the same key apart.
            if keys.last == key { isComplete = false }
            keys.append(key)
        }
    }
}

/// Makes list keys and items from the rows of a table.
struct ListRows<Item: Entity> {
    let reader: RowReader<Item>
    private let test: RowTest?
    private let keys: [RowTerm]
    /// The last column of the primary key; `nil` for a list in row order.
    private let keyColumn: Int?

    /// Returns `nil` if the table's rows do not determine the keys and items.
    init?(_ window: ListWindow<Item>, _ layout: TableLayout) {
        guard let reader = RowReader<Item>(layout), layout.hasRowID || !window.isInRowOrder else { return nil }
        self.reader = reader
        let rowColumns = RowColumns(byCharacters: layout.findsCharacters) { layout.index(of: $0) }
        keys = window.keys.compactMap { $0.rowTerm(rowColumns) }
        test = window.test?.rowTest(layout)
        keyColumn = window.isInRowOrder ? nil : layout.key.last
        guard keys.count == window.keys.count, (test == nil) == (window.test == nil) else { return nil }
    }

    /// The list key of a row; `nil` without a row, or if the condition rejects it.
    func key(of row: [SQLValue]?, _ rowID: Int64) throws(RowFault) -> ListKey? {
        guard let row else { return nil }
        if let test, try !test.passes(row) { return nil }
        let values = try keys.map { key throws(RowFault) in try key.value(row) }
        return ListKey(values, keyColumn.map { row[$0] } ?? .integer(rowID))
    }
}
