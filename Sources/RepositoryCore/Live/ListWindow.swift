/// The part of a query's result that a live list holds, and the statement that reads it.
struct ListWindow<Item: Sendable>: Sendable {
    let test: StoredTest?
    let order: ListOrder
    let extent: ListExtent
    let isInRowOrder: Bool
    /// The terms of the list key: the sort keys, and then the row number or the columns of the primary key.
    fileprivate let position: [StoredTerm]
    private let sql: QuerySQL
    /// The indexes of the statement's columns that hold the list key.
    private let keyColumns: [Int]
    private let readItem: @Sendable (any StoreStatement) throws(RepositoryError) -> Item
    fileprivate let rows: @Sendable (TableLayout) -> RowReader<Item>?

    /// Returns `nil` if the rows of one table do not determine the list.
    ///
    /// Without sort keys, the list is in row order or, if the table has no row order, in the order of the primary
    /// key. `read` reads an item from a row of the statement; `rows` returns the functions for rows in memory.
    init?(
        _ statement: SelectStatement, _ rules: StoreRules,
        _ read: @escaping @Sendable (any StoreStatement) throws(RepositoryError) -> Item,
        _ rows: @escaping @Sendable (TableLayout) -> RowReader<Item>?
    ) throws(RepositoryError) {
        guard let table = statement.tables.first, let extent = ListExtent(statement) else { return nil }
        let (sortKeys, key) = (statement.order.map(\.term.sortKey), try table.keyColumns)
        guard statement.isInMemory(statement.outputs.map(\.term) + sortKeys.map(\.term) + key, rules) else {
            return nil
        }
        (self.extent, test, readItem, self.rows) = (extent, statement.test, read, rows)
        isInRowOrder = statement.order.isEmpty && rules.hasRowOrder(table.name)
        let width = statement.outputs.isEmpty ? table.columns.count : statement.outputs.count
        var added: [StoredTerm] = []
        func index(of term: StoredTerm) -> Int {
            if let column = term.column {
                let index =
                    statement.outputs.isEmpty
                    ? table.columns.firstIndex(of: column.name)
                    : statement.outputs.firstIndex { statement.isSame(column, as: $0.term.column) }
                if let index { return index }
            }
            added.append(term)
            return width + added.count - 1
        }
        position = sortKeys.map(\.term) + (isInRowOrder ? [.rowNumber(table: nil)] : key)
        keyColumns = position.map(index)
        order = ListOrder(
            isDescending: statement.order.map(\.isDescending), isReversed: statement.isReversed,
            operations: sortKeys.map(\.operation))
        var held = statement
        (held.offset, held.limit) = (nil, extent.capacity)
        sql = QuerySQL { [held, added] dialect throws(RepositoryError) in try dialect.select(held, adding: added) }
    }

    func read(in transaction: ReadTransaction) throws(RepositoryError) -> HeldItems<Item> {
        let statement = try transaction.session.statement(sql)
        return try transaction.query(statement) { statement throws(RepositoryError) in
            try HeldItems(statement, extent, item: readItem) { row throws(RepositoryError) in
                try ListKey(row, at: keyColumns)
            }
        }
    }
}

extension SelectStatement {
    /// Returns whether the statement has one table, whose rows determine its condition and the given terms and tests.
    func isInMemory(_ terms: [StoredTerm], and tests: [StoredTest] = [], _ rules: StoreRules) -> Bool {
        guard tables.count == 1, tables[0].found.isEmpty else { return false }
        let columns = rules.columns(of: tables[0].name)
        return terms.allSatisfy { $0.rowTerm(columns) != nil }
            && ([test].compactMap(\.self) + tests).allSatisfy { $0.rowTest(columns) != nil }
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
struct ListRows<Item: Sendable> {
    let reader: RowReader<Item>
    private let test: RowTest?
    /// The terms of the list key; empty for a list in rowid order.
    private let keys: [RowTerm]

    /// Returns `nil` if the table's rows do not determine the list keys and items.
    init?(_ window: ListWindow<Item>, _ layout: TableLayout) {
        guard let reader = window.rows(layout), layout.hasRowOrder || !window.isInRowOrder else { return nil }
        self.reader = reader
        let rowColumns = RowColumns(layout)
        test = window.test?.rowTest(rowColumns)
        let terms = window.isInRowOrder ? [] : window.position
        guard let keys = terms.mapAll({ $0.rowTerm(rowColumns) }), (test == nil) == (window.test == nil) else {
            return nil
        }
        self.keys = keys
    }

    /// Returns the list key of a row; `nil` if `row` is `nil`, or if the condition rejects the row.
    func key(of row: [SQLValue]?, _ rowID: Int64) throws(RowFault) -> ListKey? {
        guard let row else { return nil }
        if let test, try !test.passes(row) { return nil }
        let values = try keys.dropLast().map { key throws(RowFault) in try key.value(row) }
        return ListKey(values, try keys.last?.value(row) ?? .integer(rowID))
    }
}
