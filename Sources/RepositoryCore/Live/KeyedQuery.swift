/// A query whose result can be re-read by key: after a change, only the items that changed rows may affect are read.
///
/// Only the initializer decides which queries qualify. The rows that each item depends on must be known. All other
/// queries are re-read in full.
struct KeyedQuery<Element>: Sendable {
    let links: TableLinks
    let order: ListOrder
    let extent: ListExtent
    /// The query without its limit and offset.
    private let statement: SelectStatement
    /// The statement that reads the items of one key.
    private let one: QuerySQL
    /// The number of values that an element is made from; in each row, the values of the list key follow them.
    private let width: Int
    private let readElement: @Sendable (any StoreStatement) throws(RepositoryError) -> Element

    /// Returns `nil` if the query must be re-read in full after any change.
    ///
    /// `links` are the linked tables of the query, including the tables of included items.
    init?(
        _ statement: SelectStatement, _ links: TableLinks, _ rules: StoreRules,
        _ readElement: @escaping @Sendable (any StoreStatement) throws(RepositoryError) -> Element
    ) throws(RepositoryError) {
        guard let extent = ListExtent(statement), !statement.isDistinct, rules.areExact(links) else { return nil }
        var statement = statement
        (statement.offset, statement.limit) = (nil, nil)
        (self.statement, self.links, self.extent, self.readElement) = (statement, links, extent, readElement)
        one = QuerySQL { [statement] dialect throws(RepositoryError) in
            try dialect.selectOne(positioned: statement, links.key)
        }
        let tables = statement.tables
        width = statement.outputs.isEmpty ? tables.reduce(0) { $0 + $1.width } : statement.outputs.count
        for table in tables where !rules.areExact(try table.key.get(), of: table.name) { return nil }
        order = ListOrder(
            isDescending: statement.order.map(\.isDescending), isReversed: statement.isReversed,
            operations: statement.order.map { $0.term.sortKey.operation ?? rules.order(of: $0.term, in: statement) })
    }

    func read(in transaction: ReadTransaction) throws(RepositoryError) -> HeldItems<Element> {
        var held = statement
        held.limit = extent.capacity
        let session = transaction.session
        let sql = try session.dialect.select(positioned: held, links.key)
        return try transaction.query(try session.statement(sql)) { statement throws(RepositoryError) in
            try HeldItems(statement, extent, item: readElement) { row throws(RepositoryError) in
                try ListKey(row, at: width..<row.columnCount)
            }
        }
    }

    /// Calls `body` for each element.
    ///
    /// If `keys` is not `nil`, reads only the elements that are made from rows of the first table with these keys.
    func forEach(
        _ keys: Set<[SQLValue]>?, in transaction: ReadTransaction,
        _ body: (ListKey, () throws(RepositoryError) -> Element) throws(RepositoryError) -> Void
    ) throws(RepositoryError) {
        let session = transaction.session
        for keys in keys?.chunks(of: 512).map(Optional.some) ?? [nil] {
            let sql =
                if let keys, keys.count == 1, !keys[0].contains(.null) {
                    try one.text(in: session.dialect).of(keys[0])
                } else if let keys {
                    try session.dialect.select(positioned: statement, links.key, among: keys)
                } else {
                    try session.dialect.select(positioned: statement, links.key)
                }
            try transaction.query(try session.statement(sql)) { statement throws(RepositoryError) in
                try statement.forEach { statement throws(RepositoryError) in
                    let key = try ListKey(statement, at: width..<statement.columnCount)
                    try body(key) { () throws(RepositoryError) in try readElement(statement) }
                }
            }
        }
    }

    /// Returns the primary key at the end of a list key: the key of the row of the query's first table.
    func key(in listKey: ListKey) -> [SQLValue] {
        if links.key.count == 1 { return [listKey.last] }
        // In a query without sort keys, `listKey.first` belongs to the primary key.
        return ([listKey.first] + (listKey.others ?? [])).suffix(links.key.count - 1) + [listKey.last]
    }
}

extension StoreRules {
    /// Whether the values that link the tables compare in memory as they do in the store.
    fileprivate func areExact(_ links: TableLinks) -> Bool {
        links.occurrences.allSatisfy { occurrence in
            let isParentExact = occurrence.link.map {
                areExact([$0.other.name], of: links.occurrences[$0.parent].table)
            }
            return isParentExact ?? true && areExact(occurrence.columns.map(\.name), of: occurrence.table)
        }
    }
}

extension TableLinks {
    /// The tables, each with a filter for the rows that may affect the query.
    var use: [String: RowFilter] { Dictionary(uniqueKeysWithValues: tables.map { ($0, test(of: $0).rowFilter) }) }
}

/// The changes to the tables of a query since the query was last read, and the measured durations of its reads.
///
/// The durations decide whether the query is re-read in full or only for the affected keys.
struct KeyedChanges {
    private let links: TableLinks
    /// For each linked table, the statement that finds the keys for one value.
    private let one: [QuerySQL?]
    /// For each table: the old and new values of changed rows that identify the affected rows of the first table.
    private var values: [Set<[SQLValue]>]
    /// The number of rows of the last re-read.
    var count = 0
    /// The duration of the last re-read, and the measured duration of the lookup of one key.
    private var (reread, lookup): (Duration, Duration?) = (.zero, nil)

    /// The estimated memory of a row's key in a dictionary, in bytes.
    static var rowBytes: Int { 240 }

    /// Up to `few` keys are always looked up; a lookup of at least `many` keys measures the duration per key.
    private static let (few, many) = (512, 32)

    init(_ links: TableLinks) {
        self.links = links
        one = links.occurrences.indices.map { index in
            if links.occurrences[index].link == nil { return nil }
            return QuerySQL { dialect throws(RepositoryError) in try dialect.keys(of: links, dependingOn: index, nil) }
        }
        values = Array(repeating: [], count: links.occurrences.count)
    }

    var isEmpty: Bool { values.allSatisfy(\.isEmpty) }

    /// The maximum number of keys to look up: the number whose lookup takes as long as a re-read or, if no lookup has
    /// been measured, a quarter of the rows; but at least `few`.
    private var limit: Int { max(Self.few, lookup.map { Int(reread / $0) } ?? count / 4) }

    mutating func clear() { values = values.map { _ in [] } }

    /// Adds the changes of a table; returns `.needsReread` if there are too many, or if they do not identify the items
    /// that they affect.
    mutating func add(_ changes: TableChanges) -> UpdateEffect {
        let layout = changes.layout
        let rows = (changes.changes + changes.renumbered).flatMap { [$0.old, $0.new].compactMap(\.self) }
        for (index, occurrence) in links.occurrences.enumerated() where occurrence.table == layout.name {
            let columns = occurrence.columns.mapAll { layout.index(of: $0.name) }
            guard let columns else { return .needsReread }
            let needsValue = occurrence.link.map { !$0.findsNull } ?? false
            for row in rows where !needsValue || row[columns[0]] != .null {
                if links.mayBelongToMissing(index, isNull: row[columns[0]] == .null) { return .needsReread }
                values[index].insert(columns.map { row[$0] })
            }
        }
        let isLookedUp = values.allSatisfy { $0.count <= limit }
        guard isLookedUp, !values[0].contains(where: { $0.contains(.null) }) else { return .needsReread }
        return isEmpty ? .unaffected : .rereadByKey
    }

    /// Returns the keys of all rows whose items the changes may affect, and forgets the changes; `nil` if there are too
    /// many keys, or if a key contains NULL.
    mutating func takeKeys(in transaction: ReadTransaction) throws(RepositoryError) -> Set<[SQLValue]>? {
        defer { clear() }
        var found = values[0]
        let session = transaction.session
        for index in values.indices.dropFirst() {
            for chunk in values[index].chunks(of: links.occurrences[index].link == nil ? 128 : Self.few) {
                var sql: SQLText
                if let one = one[index], chunk.count == 1, chunk[0] != [.null] {
                    sql = try one.text(in: session.dialect).of(chunk[0])
                } else {
                    sql = try session.dialect.keys(of: links, dependingOn: index, chunk)
                }
                sql += session.dialect.limit(limit + 1, offset: nil)
                try transaction.query(try session.statement(sql)) { statement throws(RepositoryError) in
                    try statement.forEach { statement throws(RepositoryError) in found.insert(try statement.values()) }
                }
                if found.count > limit { return nil }
            }
        }
        return found.count > limit || found.contains { $0.contains(.null) } ? nil : found
    }

    /// Measures a re-read or, with `keys`, a lookup of that number of keys.
    mutating func measure<Result>(keys: Int? = nil, _ read: () throws -> Result) rethrows -> Result {
        let start = ContinuousClock.now
        let result = try read()
        let time = ContinuousClock.now - start
        if let keys, keys >= Self.many { lookup = max(time / keys, .nanoseconds(1)) }
        if keys == nil { reread = time }
        return result
    }
}

extension Set {
    /// Returns the elements in arrays of at most `size` elements; each array is for one statement.
    fileprivate func chunks(of size: Int) -> [[Element]] {
        let all = Array(self)
        return stride(from: 0, to: count, by: size).map { Array(all[$0..<Swift.min($0 + size, count)]) }
    }
}
