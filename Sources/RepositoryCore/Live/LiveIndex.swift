/// An index of the attached live queries, by the tables that they read and the rows that they can use.
struct LiveIndex {
    private struct Entry {
        let query: any SharedQuery
        /// The tables that the query's last run read.
        var tables: Set<String>
        /// The rows that it can use; `nil` if it must be re-read after any change.
        var use: LiveUse?
        /// The duration of its last read.
        var cost = Duration.zero
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var readers: [String: TableReaders] = [:]

    /// The tables whose rows some query can use, each with the number of rows beyond which a re-read costs less.
    var budgets: [String: Int] { readers.filter(\.value.canUseRows).mapValues(\.budget) }

    var tables: Set<String> { Set(readers.keys) }

    /// Registers a query under the tables that it read, replacing those of its last run.
    ///
    /// - Complexity: O(1) if the tables are the same as before, otherwise O(*n*) in the number of tables.
    mutating func keep(_ query: any SharedQuery, reading tables: Set<String>, for cost: Duration = .zero) {
        let id = ObjectIdentifier(query)
        if let entry = entries[id], entry.tables == tables {
            entries[id]?.cost = cost
            if entry.use != nil { for table in tables { readers[table]?.cost += cost - entry.cost } }
            return
        }
        remove(query)
        // A table that the statement spells differently, or a view, has another name in the reported changes.
        let use = query.use.flatMap { tables == Set($0.filters.keys) ? $0 : nil }
        entries[id] = Entry(query: query, tables: tables, use: use, cost: cost)
        for table in tables {
            readers[table, default: TableReaders()].set(query, use?.filters[table], isAdded: true)
            if use != nil { readers[table]?.cost += cost }
        }
    }

    mutating func remove(_ query: any SharedQuery) {
        guard let entry = entries.removeValue(forKey: ObjectIdentifier(query)) else { return }
        for table in entry.tables {
            readers[table]?.set(query, entry.use?.filters[table], isAdded: false)
            if entry.use != nil { readers[table]?.cost -= entry.cost }
            if readers[table]?.isEmpty == true { readers[table] = nil }
        }
    }

    /// Finds the queries that a commit may affect: the ones that can use its rows, and the ones that must be re-read.
    ///
    /// - Complexity: O(log *n*) for each changed row and each query that is found, of *n* queries.
    func match(_ record: CommitRecord) -> LiveMatch {
        guard case .some(let tables) = record.tables else { return LiveMatch(reread: entries.values.map(\.query)) }
        var match = LiveMatch()
        for table in tables {
            guard let readers = readers[table] else { continue }
            switch record.rows.changes(of: table) {
            // If values are not compared by their bytes, a row does not tell which queries it affects.
            case .rows(let changes) where changes.layout.isExact:
                match.reread += readers.unindexed.values
                readers.find(changes) { match.apply.append(($0, changes)) }
            case .nothing: break
            case .rows, nil: match.reread += readers.queries
            }
        }
        return match
    }
}

/// The queries that a commit may affect.
struct LiveMatch {
    /// The queries that can use its rows.
    var apply: [(query: any SharedQuery, changes: TableChanges)] = []
    /// The queries that must be re-read.
    var reread: [any SharedQuery] = []
}

/// The live queries of one table, found by the values of its rows.
private struct TableReaders {
    typealias Queries = [ObjectIdentifier: any SharedQuery]

    /// Queries that are re-read after any change.
    private(set) var unindexed = Queries()
    /// Queries that any row may affect.
    private var all: Queries = [:]
    /// Queries that only rows with a certain value in a column may affect.
    private var equal: [String: [SQLValue: Queries]] = [:]
    /// Queries that only rows with a column's value in a range may affect.
    private var ranges: [String: RangeIndex] = [:]
    /// The total duration of re-reading the queries that can use rows.
    var cost = Duration.zero {
        didSet {
            let rows = min(max(Int(cost / Self.rowCost), Self.budgets.lowerBound), Self.budgets.upperBound)
            // Measurements vary, and each new budget makes the writer's capture of the table start again.
            if rows >= 2 * budget || 2 * rows <= budget { budget = rows }
        }
    }
    /// The number of changed rows that take as long to copy and apply as `cost`.
    private(set) var budget = CaptureInterest.usualBudget

    /// The cost of a changed row: 0.9 µs were measured on a fast machine, 2.4 µs on a busy one.
    private static let rowCost = Duration.nanoseconds(1_500)
    private static let budgets = 1_024...32_768

    var isEmpty: Bool { unindexed.isEmpty && !canUseRows }

    var canUseRows: Bool { !(all.isEmpty && equal.isEmpty && ranges.isEmpty) }

    /// All queries; a query with several values is included several times.
    var queries: [any SharedQuery] {
        var queries = Array(unindexed.values) + Array(all.values)
        for found in equal.values.flatMap(\.values) { queries += found.values }
        for index in ranges.values { queries += index.queries }
        return queries
    }

    /// Adds or removes a query by its filter, which is `nil` for a query that cannot use rows.
    mutating func set(_ query: any SharedQuery, _ filter: RowFilter?, isAdded: Bool) {
        let (id, entry) = (ObjectIdentifier(query), isAdded ? query : nil)
        switch filter {
        case nil: unindexed[id] = entry
        case .any: all[id] = entry
        case .equal(let column, let values):
            for value in values {
                equal[column, default: [:]][value, default: [:]][id] = entry
                if equal[column]?[value]?.isEmpty == true { equal[column]?[value] = nil }
            }
            if equal[column]?.isEmpty == true { equal[column] = nil }
        case .range(let column, let range):
            let index = ranges[column] ?? RangeIndex()
            if isAdded { index.add(query, range) } else { index.remove(query, range) }
            ranges[column] = index.isEmpty ? nil : index
        }
    }

    /// Passes each query that changed rows may affect to `body`, once.
    func find(_ changes: TableChanges, _ body: (any SharedQuery) -> Void) {
        for query in all.values { body(query) }
        var found: Set<ObjectIdentifier> = []
        func pass(_ query: any SharedQuery) {
            if found.insert(ObjectIdentifier(query)).inserted { body(query) }
        }
        // A column that the table spells differently has no index here; its queries test the rows themselves.
        for (column, queries) in equal {
            if let index = changes.layout.index(of: column) {
                Self.values(at: index, changes) { value in queries[value]?.values.forEach(pass) }
            } else {
                queries.values.flatMap(\.values).forEach(pass)
            }
        }
        for (column, range) in ranges {
            if let index = changes.layout.index(of: column) {
                Self.values(at: index, changes) { value in range.find(value, pass) }
            } else {
                range.queries.forEach(pass)
            }
        }
    }

    private static func values(at column: Int, _ changes: TableChanges, _ body: (SQLValue) -> Void) {
        for change in changes.changes {
            if let old = change.old?[column] { body(old) }
            if let new = change.new?[column], new != change.old?[column] { body(new) }
        }
        for change in changes.renumbered {
            if let new = change.new?[column] { body(new) }
        }
    }
}
