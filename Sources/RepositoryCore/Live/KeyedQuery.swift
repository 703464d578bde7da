/// A query whose result can be re-read by key: after a change, only the items that changed rows may affect are read.
///
/// Only the initializer decides which queries qualify. The rows that each item depends on must be known, and the sort
/// keys must be columns. All other queries are re-read in full.
struct KeyedQuery<Root: Fetchable>: Sendable {
    let links: TableLinks
    let order: ListOrder
    let extent: ListExtent
    private let query: FetchQuery<Root>
    /// The number of columns that an item is made from; in each row, the values of the list key follow these columns.
    private let width: Int
    private let readItem: @Sendable (RowSource) throws(RepositoryError) -> Root

    /// Returns `nil` if the query must be re-read after any change.
    ///
    /// `links` are the linked tables of the query, including the tables of included items.
    init?(_ query: FetchQuery<Root>, _ links: TableLinks?) throws(RepositoryError) {
        guard let links, let extent = ListExtent(query), !query.isReversed else { return nil }
        for key in query.sortKeys {
            guard case .column = try key.term() else { return nil }
        }
        let source = Root.fetchSource
        (self.query, self.links, self.extent, readItem) = (query, links, extent, source.read)
        width = source.tables.reduce(0) { $0 + $1.width }
        let keys = query.sortKeys.map { $0.direction == .descending }
        // Columns that break ties between equal sort keys are ascending.
        var others = links.key.count
        for table in source.tables { others += max(1, try table.key.get().count) }
        order = ListOrder(isDescending: keys + Array(repeating: false, count: others))
    }

    /// The maximum number of keys to look up; for more keys, a full re-read costs less.
    static var mostKeys: Int { 512 }

    func read(in transaction: ReadTransaction) throws(RepositoryError) -> HeldItems<Root> {
        var held = query
        (held.offset, held.limit) = (nil, extent.capacity)
        let session = transaction.session
        let sql = try session.dialect.select(positioned: held, links.key)
        return try transaction.query(try session.statement(sql)) { statement throws(RepositoryError) in
            try HeldItems(statement, extent) { row throws(RepositoryError) in
                try readItem(row.row)
            } key: { row throws(RepositoryError) in
                try listKey(of: row)
            }
        }
    }

    /// Reads the items that are made from rows with the given keys, except items whose list keys `isHeld` rejects.
    func read(
        _ keys: Set<[SQLValue]>, in transaction: ReadTransaction, _ isHeld: (ListKey) -> Bool
    ) throws(RepositoryError) -> (items: [Root], keys: [ListKey]) {
        var unlimited = query
        (unlimited.offset, unlimited.limit) = (nil, nil)
        let session = transaction.session
        let sql = try session.dialect.select(positioned: unlimited, links.key, among: Array(keys))
        return try transaction.query(try session.statement(sql)) { statement throws(RepositoryError) in
            var found: (items: [Root], keys: [ListKey]) = ([], [])
            try statement.forEach { statement throws(RepositoryError) in
                let key = try listKey(of: statement)
                guard isHeld(key) else { return }
                found.items.append(try readItem(statement.row))
                found.keys.append(key)
            }
            return found
        }
    }

    /// Returns the keys of all rows whose items the changes may affect; `nil` if there are too many.
    ///
    /// The keys follow from the old and the new values of the changed rows.
    func keys(
        concernedBy changes: KeyedChanges, in transaction: ReadTransaction
    ) throws(RepositoryError) -> Set<[SQLValue]>? {
        var keys = changes.keys
        let session = transaction.session
        for (index, values) in changes.values.enumerated() where !values.isEmpty {
            let sql = try session.dialect.keys(
                of: links, dependingOn: index, Array(values), limit: Self.mostKeys + 1)
            try transaction.query(try session.statement(sql)) { statement throws(RepositoryError) in
                try statement.forEach { statement throws(RepositoryError) in keys.insert(try statement.values()) }
            }
        }
        return keys.count > Self.mostKeys ? nil : keys
    }

    /// Returns the primary key at the end of a list key: the key of the row of the query's first table.
    func key(in listKey: ListKey) -> [SQLValue] {
        links.key.count == 1 ? [listKey.last] : (listKey.others ?? []).suffix(links.key.count - 1) + [listKey.last]
    }

    private func listKey(of statement: any StoreStatement) throws(RepositoryError) -> ListKey {
        var values: [SQLValue] = []
        for index in width..<statement.columnCount - 1 { values.append(try statement.value(at: index)) }
        return ListKey(values, try statement.value(at: statement.columnCount - 1))
    }
}

/// The changes to the tables of a query since the query was last read.
struct KeyedChanges {
    /// The primary keys of the first table's changed rows.
    private(set) var keys: Set<[SQLValue]> = []
    /// For each table except the first: the old and new values that link its changed rows to an earlier table.
    private(set) var values: [Set<SQLValue>]
    private let links: TableLinks

    init(_ links: TableLinks) {
        self.links = links
        values = Array(repeating: [], count: links.occurrences.count)
    }

    var isEmpty: Bool { keys.isEmpty && values.allSatisfy(\.isEmpty) }

    /// Adds the changes of a table; returns `false` if there are too many, or if they do not identify the affected
    /// items.
    mutating func add<Root>(_ changes: TableChanges, _ query: KeyedQuery<Root>) -> Bool {
        let layout = changes.layout
        let rows = (changes.changes + changes.renumbered).flatMap { [$0.old, $0.new].compactMap(\.self) }
        for (index, occurrence) in links.occurrences.enumerated() where occurrence.table == layout.name {
            guard let link = occurrence.link else {
                let columns = links.key.compactMap { layout.index(of: $0.name) }
                guard columns.count == links.key.count, layout.key == columns else { return false }
                for row in rows { keys.insert(columns.map { row[$0] }) }
                continue
            }
            guard let column = layout.index(of: link.column.name) else { return false }
            for row in rows where link.findsNull || row[column] != .null { values[index].insert(row[column]) }
        }
        let most = KeyedQuery<Root>.mostKeys
        return keys.count <= most && values.allSatisfy { $0.count <= most } && !keys.contains { $0.contains(.null) }
    }
}
