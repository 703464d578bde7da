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
    private let sql: SQLText
    /// The places of the sort keys in a row of the statement, and that of what comes last.
    private let places: [Int]
    private let lastPlace: Int

    /// How many items are needed for what shows.
    var needed: Int { offset + (limit ?? 0) }

    /// How many items are read; `nil` for all.
    var capacity: Int? { Self.capacity(offset, limit) }

    private static func capacity(_ offset: Int, _ limit: Int?) -> Int? {
        limit.map { offset + $0 + max(16, $0 / 4) }
    }

    /// `nil` when the list cannot be kept.
    init?(_ query: FetchQuery<Item>) throws(RepositoryError) {
        (offset, limit) = (query.offset ?? 0, query.limit)
        // A list that is longer than any table is one without a limit.
        guard offset <= Self.deepestOffset, limit.map({ $0 > 0 && $0 < 1 << 32 }) ?? true else { return nil }
        test = try query.condition?.stored()
        let keys = query.sortKeys
        isInTableOrder = keys.isEmpty
        var columns: [String] = []
        for key in keys {
            // What is computed of a row is for SQLite to say.
            guard let column = try key.column() else { return nil }
            columns.append(column.name)
        }
        let key = try Item.schema.key.names
        if !isInTableOrder { columns += key.dropLast() }
        self.columns = columns
        order = ListOrder(
            isDescending: columns.indices.map { keys.indices.contains($0) && keys[$0].direction == .descending })
        let names = Item.schema.names
        places = columns.compactMap { names.firstIndex(of: $0) }
        lastPlace = isInTableOrder ? names.count : key.last.flatMap { names.firstIndex(of: $0) } ?? names.count
        var held = query
        held.offset = nil
        held.limit = Self.capacity(offset, limit)
        sql = try SQLText.select(held, adding: isInTableOrder ? [.column(StoredColumn("_rowid_", of: nil))] : [])
    }

    /// Reads the items that are held, with their keys.
    ///
    /// A row that is no item, and does not show, is left out: the query itself would not read it.
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
                for place in places { values.append(try statement.value(at: place)) }
                held.keys.append(ListKey(values, try statement.value(at: lastPlace)))
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
    private let reader: RowReader<Item>
    private let layout: TableLayout
    private let test: RowTest?
    private let sortPlaces: [Int]
    /// The place of the last column of the primary key; `nil` for a list in the order of the table.
    private let keyPlace: Int?

    /// `nil` when rows of the table do not tell all that is needed.
    ///
    /// `last` is what was taken of the table as it was last.
    init?(_ window: ListWindow<Item>, _ layout: TableLayout, last: ListRows?) {
        if let last, last.layout === layout {
            self = last
            return
        }
        guard let reader = RowReader<Item>(layout, last: nil) else { return nil }
        guard layout.hasRowID || !window.isInTableOrder else { return nil }
        let sortPlaces = window.columns.compactMap { layout.place(of: $0) }
        guard sortPlaces.count == window.columns.count else { return nil }
        var test: RowTest?
        if let stored = window.test {
            guard let found = stored.rowTest({ layout.place(of: $0) }) else { return nil }
            test = found
        }
        (self.reader, self.layout, self.test, self.sortPlaces) = (reader, layout, test, sortPlaces)
        keyPlace = window.isInTableOrder ? nil : layout.key.last
    }

    /// Where a row stands; `nil` when it does not pass.
    func key(of row: [SQLValue], _ rowID: Int64) -> ListKey? {
        if let test, !test.passes(row) { return nil }
        return ListKey(sortPlaces.map { row[$0] }, keyPlace.map { row[$0] } ?? .integer(rowID))
    }

    func item(of row: [SQLValue]) -> Item? { reader.item(of: row) }

    func areSame(_ left: [SQLValue], _ right: [SQLValue]) -> Bool { reader.areSame(left, right) }
}
