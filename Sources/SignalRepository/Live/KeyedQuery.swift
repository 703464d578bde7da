/// A query whose result can be brought up to date by reading what belongs to the rows that changed, and nothing else.
///
/// This is the one place that decides which queries are. It takes those of which it is known on what rows each item
/// depends, and that are in an order of columns, so that what was read can be put in its place; all others are read
/// again.
struct KeyedQuery<Root: Fetchable>: Sendable {
    let links: TableLinks
    let order: ListOrder
    let extent: ListExtent
    private let query: FetchQuery<Root>
    /// What is read of the tables of the items; their places follow.
    private let width: Int
    private let readItem: @Sendable (RowSource) throws(RepositoryError) -> Root

    /// `nil` when the query has to be read again whatever has changed.
    ///
    /// `links` are those of the query, with what is included with its items.
    init?(_ query: FetchQuery<Root>, _ links: TableLinks?) throws(RepositoryError) {
        guard let links, let extent = ListExtent(query), !query.isReversed else { return nil }
        for key in query.sortKeys {
            guard case .column = try key.term() else { return nil }
        }
        let source = Root.fetchSource
        (self.query, self.links, self.extent, readItem) = (query, links, extent, source.read)
        width = source.tables.reduce(0) { $0 + $1.width }
        let keys = query.sortKeys.map { $0.direction == .descending }
        // What tells apart rows that are equal in the sort keys is in its own order.
        var others = links.key.count
        for table in source.tables { others += max(1, try table.key.get().count) }
        order = ListOrder(isDescending: keys + Array(repeating: false, count: others))
    }

    /// The most items that are looked up; reading again costs less when there are more.
    static var mostKeys: Int { 512 }

    func read(in transaction: ReadTransaction) throws(RepositoryError) -> HeldItems<Root> {
        var held = query
        (held.offset, held.limit) = (nil, extent.capacity)
        let session = transaction.session
        let sql = try session.dialect.select(placed: held, links.key)
        return try transaction.query(try session.statement(sql)) { statement throws(RepositoryError) in
            try HeldItems(statement, extent) { row throws(RepositoryError) in
                try readItem(row.row)
            } key: { row throws(RepositoryError) in
                try place(of: row)
            }
        }
    }

    /// Reads the items that are made of rows with some keys, as far as they are to be held.
    func read(
        _ keys: Set<[SQLValue]>, in transaction: ReadTransaction, _ isHeld: (ListKey) -> Bool
    ) throws(RepositoryError) -> (items: [Root], keys: [ListKey]) {
        var whole = query
        (whole.offset, whole.limit) = (nil, nil)
        let session = transaction.session
        let sql = try session.dialect.select(placed: whole, links.key, among: Array(keys))
        return try transaction.query(try session.statement(sql)) { statement throws(RepositoryError) in
            var found: (items: [Root], keys: [ListKey]) = ([], [])
            try statement.forEach { statement throws(RepositoryError) in
                let key = try place(of: statement)
                guard isHeld(key) else { return }
                found.items.append(try readItem(statement.row))
                found.keys.append(key)
            }
            return found
        }
    }

    /// The keys of all rows whose items changes may concern, as they are now or were before; `nil` for too many.
    func keys(
        concernedBy changes: KeyedChanges, in transaction: ReadTransaction
    ) throws(RepositoryError) -> Set<[SQLValue]>? {
        var keys = changes.keys
        let session = transaction.session
        for (place, values) in changes.values.enumerated() where !values.isEmpty {
            let sql = try session.dialect.keys(
                of: links, dependingOn: place, Array(values), limit: Self.mostKeys + 1)
            try transaction.query(try session.statement(sql)) { statement throws(RepositoryError) in
                try statement.forEach { statement throws(RepositoryError) in keys.insert(try statement.values()) }
            }
        }
        return keys.count > Self.mostKeys ? nil : keys
    }

    /// The key of the first table in a place.
    func key(in place: ListKey) -> [SQLValue] {
        links.key.count == 1 ? [place.last] : (place.others ?? []).suffix(links.key.count - 1) + [place.last]
    }

    private func place(of statement: any StoreStatement) throws(RepositoryError) -> ListKey {
        var values: [SQLValue] = []
        for index in width..<statement.columnCount - 1 { values.append(try statement.value(at: index)) }
        return ListKey(values, try statement.value(at: statement.columnCount - 1))
    }
}

/// What has changed in the tables of a query since it was last read.
struct KeyedChanges {
    /// The keys of the first table's rows.
    private(set) var keys: Set<[SQLValue]> = []
    /// Of each table, the values by which its rows are linked to others: those they had, and those they have.
    private(set) var values: [Set<SQLValue>]
    private let links: TableLinks

    init(_ links: TableLinks) {
        self.links = links
        values = Array(repeating: [], count: links.places.count)
    }

    var isEmpty: Bool { keys.isEmpty && values.allSatisfy(\.isEmpty) }

    /// Takes changes in; false when they are too many, or do not tell what is needed.
    mutating func add<Root>(_ changes: TableChanges, _ query: KeyedQuery<Root>) -> Bool {
        let layout = changes.layout
        let rows = (changes.changes + changes.renumbered).flatMap { [$0.old, $0.new].compactMap(\.self) }
        for (index, place) in links.places.enumerated() where place.table == layout.name {
            guard let link = place.link else {
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
