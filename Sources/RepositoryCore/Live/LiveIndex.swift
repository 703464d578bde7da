/// An index of attached live queries, by the tables that they read and the changed rows that may affect them.
struct LiveIndex {
    private struct Entry {
        let query: any SharedQuery
        /// The tables that the query's last run read.
        var tables: Set<String>
        /// The filters for changed rows that may affect the query; `nil` if any change of its tables needs a re-read.
        var use: [String: RowFilter]?
        /// The duration of the query's last read.
        var cost = Duration.zero
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var readers: [String: TableReaders] = [:]
    /// The queries whose results may change without a commit, as time passes.
    private(set) var timed: [ObjectIdentifier: any SharedQuery] = [:]

    /// For each table whose changed rows can update a query: the number of rows above which a re-read is cheaper.
    var budgets: [String: Int] { readers.filter(\.value.canUseRows).mapValues(\.budget) }

    var tables: Set<String> { Set(readers.keys) }

    /// Adds a query with the tables that its last run read; they replace the tables of earlier runs.
    ///
    /// - Complexity: O(*n*) in the number of tables and, if these have changed, in the number of the filters' values.
    mutating func keep(_ query: any SharedQuery, reading tables: Set<String>, for cost: Duration = .zero) {
        let id = ObjectIdentifier(query)
        defer { timed[id] = query.due.map { _ in query } }
        if let entry = entries[id], entry.tables == tables, (entry.use == nil) == (query.use == nil) {
            entries[id]?.cost = cost
            if entry.use != nil { for table in tables { readers[table]?.cost += cost - entry.cost } }
            return
        }
        remove(query)
        // Changed rows carry the names of stored tables. If a filter names a view, or spells a table differently, it
        // would miss changed rows, so the query is then added without filters.
        let use = query.use.flatMap { tables == Set($0.keys) ? $0 : nil }
        entries[id] = Entry(query: query, tables: tables, use: use, cost: cost)
        for table in tables {
            readers[table, default: TableReaders()].set(query, use?[table], isAdded: true)
            if use != nil { readers[table]?.cost += cost }
        }
    }

    mutating func remove(_ query: any SharedQuery) {
        guard let entry = entries.removeValue(forKey: ObjectIdentifier(query)) else { return }
        timed[ObjectIdentifier(query)] = nil
        for table in entry.tables {
            readers[table]?.set(query, entry.use?[table], isAdded: false)
            if entry.use != nil { readers[table]?.cost -= entry.cost }
            if readers[table]?.isEmpty == true { readers[table] = nil }
        }
    }

    /// Finds the queries that a commit may affect, to be updated from its changed rows or to be re-read.
    ///
    /// - Complexity: O(log *n*) for each changed row and for each query found, where *n* is the number of queries.
    func match(_ record: CommitRecord) -> LiveMatch {
        guard case .some(let tables) = record.tables else { return LiveMatch(reread: entries.values.map(\.query)) }
        var match = LiveMatch()
        for table in tables {
            guard let readers = readers[table] else { continue }
            switch record.rows.changes(of: table) {
            // If the rows cannot update queries, or a value has another type than its column, all queries are re-read.
            case .rows(let changes) where changes.layout.isFollowed && changes.haveTypes:
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
    /// The queries that can be updated from changed rows, each with the changes of one table.
    var apply: [(query: any SharedQuery, changes: TableChanges)] = []
    /// The queries that must be re-read.
    var reread: [any SharedQuery] = []
}

/// The live queries that read one table, indexed by the row values that may affect them.
private struct TableReaders {
    typealias Queries = [ObjectIdentifier: any SharedQuery]

    /// Queries that are re-read after any change.
    private(set) var unindexed = Queries()
    /// Queries that can be updated from changed rows, and that a change of any row may affect.
    private var all: Queries = [:]
    /// Queries that only rows with a certain value in a column may affect, by the column and the value.
    private var equal: [String: [SQLValue: Queries]] = [:]
    /// Queries that only rows with a column's value in a certain range may affect, by the column.
    private var ranges: [String: RangeIndex] = [:]
    /// The total duration of the last reads of all queries that can be updated from changed rows.
    var cost = Duration.zero {
        didSet {
            let rows = min(max(Int(cost / Self.rowCost), Self.budgets.lowerBound), Self.budgets.upperBound)
            // Ignores small changes, because durations vary, and each new budget makes the writer restart its capture.
            if rows >= 2 * budget || 2 * rows <= budget { budget = rows }
        }
    }
    /// The number of changed rows that can be copied and applied in the time `cost`, within the bounds `budgets`.
    private(set) var budget = CaptureInterest.usualBudget

    /// The time to copy and apply one changed row: 0.9 µs were measured on a fast machine, 2.4 µs on a busy one.
    private static let rowCost = Duration.nanoseconds(1_500)
    private static let budgets = 1_024...32_768

    var isEmpty: Bool { unindexed.isEmpty && !canUseRows }

    var canUseRows: Bool { !(all.isEmpty && equal.isEmpty && ranges.isEmpty) }

    /// All queries; a query whose filter has several values occurs once for each value.
    var queries: [any SharedQuery] {
        var queries = Array(unindexed.values) + Array(all.values)
        for found in equal.values.flatMap(\.values) { queries += found.values }
        for index in ranges.values { queries += index.queries }
        return queries
    }

    /// Adds or removes a query by its filter; a query without a filter is re-read after any change of the table.
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

    /// Calls `body` once for each query that the changed rows may affect and can update.
    func find(_ changes: TableChanges, _ body: (any SharedQuery) -> Void) {
        for query in all.values { body(query) }
        var found: Set<ObjectIdentifier> = []
        func pass(_ query: any SharedQuery) {
            if found.insert(ObjectIdentifier(query)).inserted { body(query) }
        }
        // Passes all queries if `exactIndex` is `nil`: the table spells the column's name differently, or the store may
        // consider different values of the column equal.
        for (column, queries) in equal {
            if let index = changes.layout.exactIndex(of: column) {
                Self.values(at: index, changes) { value in queries[value]?.values.forEach(pass) }
            } else {
                queries.values.flatMap(\.values).forEach(pass)
            }
        }
        for (column, range) in ranges {
            if let index = changes.layout.exactIndex(of: column) {
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
