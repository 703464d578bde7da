/// A query whose result can be re-read by key: after a change, only the items that changed rows may affect are read.
///
/// Only the initializer decides which queries qualify. The rows that each item depends on must be known, and texts must
/// be sorted by their bytes. All other queries are re-read in full.
struct KeyedQuery<Element>: Sendable {
    let links: TableLinks
    let order: ListOrder
    let extent: ListExtent
    private let statement: SelectStatement
    /// The number of values that an element is made from; in each row, the values of the list key follow them.
    private let width: Int
    private let readElement: @Sendable (any StoreStatement) throws(RepositoryError) -> Element

    /// Returns `nil` if the query must be re-read after any change.
    ///
    /// `links` are the linked tables of the query, including the tables of included items.
    init?(
        _ statement: SelectStatement, _ links: TableLinks?,
        _ readElement: @escaping @Sendable (any StoreStatement) throws(RepositoryError) -> Element
    ) throws(RepositoryError) {
        guard let links, let extent = ListExtent(statement), !statement.isDistinct else { return nil }
        // Values are compared in memory by their bytes.
        for case (.operation(let operation, _), _) in statement.order where operation.isOrder { return nil }
        (self.statement, self.links, self.extent, self.readElement) = (statement, links, extent, readElement)
        let tables = statement.tables
        width = statement.outputs.isEmpty ? tables.reduce(0) { $0 + $1.width } : statement.outputs.count
        // The columns that break ties between equal sort keys have the direction of the whole query.
        var others = links.key.count
        for table in tables { others += max(1, try table.key.get().count) }
        order = ListOrder(
            isDescending: statement.order.map(\.isDescending) + Array(repeating: statement.isReversed, count: others))
    }

    /// The number of keys in one statement.
    private static var chunk: Int { 512 }

    func read(in transaction: ReadTransaction) throws(RepositoryError) -> HeldItems<Element> {
        var held = statement
        (held.offset, held.limit) = (nil, extent.capacity)
        let session = transaction.session
        let sql = try session.dialect.select(positioned: held, links.key)
        return try transaction.query(try session.statement(sql)) { statement throws(RepositoryError) in
            try HeldItems(statement, extent, item: readElement) { row throws(RepositoryError) in
                try listKey(of: row)
            }
        }
    }

    /// Passes each element that is made from rows with the given keys, or from any row if these are `nil`.
    func forEach(
        _ keys: Set<[SQLValue]>?, in transaction: ReadTransaction,
        _ body: (ListKey, () throws(RepositoryError) -> Element) throws(RepositoryError) -> Void
    ) throws(RepositoryError) {
        if keys?.isEmpty == true { return }
        var unlimited = statement
        (unlimited.offset, unlimited.limit) = (nil, nil)
        let session = transaction.session
        var chunks = keys.map { Self.chunks(of: $0) }
        repeat {
            let keys = chunks?.popLast()
            let sql =
                if let keys {
                    try session.dialect.select(positioned: unlimited, links.key, among: keys)
                } else {
                    try session.dialect.select(positioned: unlimited, links.key)
                }
            try transaction.query(try session.statement(sql)) { statement throws(RepositoryError) in
                try statement.forEach { statement throws(RepositoryError) in
                    try body(try listKey(of: statement)) { () throws(RepositoryError) in try readElement(statement) }
                }
            }
        } while chunks?.isEmpty == false
    }

    private static func chunks<Key>(of keys: Set<Key>) -> [[Key]] {
        let keys = Array(keys)
        return stride(from: 0, to: keys.count, by: chunk).map { Array(keys[$0..<min($0 + chunk, keys.count)]) }
    }

    /// Returns the keys of all rows whose items the changes may affect; `nil` if there are more than `limit`.
    ///
    /// The keys follow from the old and the new values of the changed rows.
    func keys(
        concernedBy changes: KeyedChanges, limit: Int, in transaction: ReadTransaction
    ) throws(RepositoryError) -> Set<[SQLValue]>? {
        var keys = changes.keys
        let session = transaction.session
        for (index, values) in changes.values.enumerated() {
            for chunk in Self.chunks(of: values) {
                let sql = try session.dialect.keys(of: links, dependingOn: index, chunk, limit: limit + 1)
                try transaction.query(try session.statement(sql)) { statement throws(RepositoryError) in
                    try statement.forEach { statement throws(RepositoryError) in keys.insert(try statement.values()) }
                }
                if keys.count > limit { return nil }
            }
        }
        return keys.count > limit ? nil : keys
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

extension TableLinks {
    var use: LiveUse { LiveUse(Dictionary(uniqueKeysWithValues: tables.map { ($0, test(of: $0).rowFilter) })) }
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
    mutating func add(_ changes: TableChanges, limit: Int) -> Bool {
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
        return keys.count <= limit && values.allSatisfy { $0.count <= limit } && !keys.contains { $0.contains(.null) }
    }
}

/// The measured costs of a query's two reads, which decide how many keys are looked up instead of a re-read.
struct KeyedCost {
    /// The number of keys that are looked up at any cost, and the number from which the time for each is measured.
    private static let (few, many) = (512, 32)
    /// The time of the last re-read, and the time to look up a key.
    private var (reread, key): (Duration, Duration?) = (.zero, nil)
    private var count = 0

    /// The number of keys whose lookup takes as long as a re-read; until that is measured, as a quarter of the rows.
    var limit: Int { max(Self.few, key.map { Int(reread / $0) } ?? count / 4) }

    /// Measures a re-read, which returns the number of its rows.
    mutating func measure(_ read: () throws -> Int) rethrows {
        let start = ContinuousClock.now
        count = try read()
        reread = ContinuousClock.now - start
    }

    mutating func measure(keys: Int, _ read: () throws -> Void) rethrows {
        let start = ContinuousClock.now
        try read()
        if keys >= Self.many { key = max((ContinuousClock.now - start) / keys, .nanoseconds(1)) }
    }
}
