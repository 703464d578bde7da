/// The attached live queries, found by the tables that they read, and by the rows that they can use.
struct LiveIndex {
    private struct Entry {
        let query: any SharedQuery
        /// The tables that the query's last run has read.
        var tables: Set<String>
        /// The rows that it can use; `nil` when it has to run again whatever changed.
        var use: LiveUse?
        /// What it took to read it last.
        var cost = Duration.zero
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var readers: [String: TableReaders] = [:]

    /// The tables whose rows are of use to some query, and how many of them are: beyond that reading again costs less.
    var budgets: [String: Int] { readers.filter(\.value.canUseRows).mapValues(\.budget) }

    var tables: Set<String> { Set(readers.keys) }

    /// Registers a query under the tables that it read, replacing those of its last run.
    ///
    /// - Complexity: O(1) when the tables are the same as before, else O(number of tables).
    mutating func keep(_ query: any SharedQuery, reading tables: Set<String>, for cost: Duration = .zero) {
        let id = ObjectIdentifier(query)
        if let entry = entries[id], entry.tables == tables {
            entries[id]?.cost = cost
            if entry.use != nil { for table in tables { readers[table]?.cost += cost - entry.cost } }
            return
        }
        remove(query)
        // A name that the statement spells in another way, or a view, is another table to the hook.
        let use = query.use.flatMap { tables == Set($0.filters.keys) ? $0 : nil }
        entries[id] = Entry(query: query, tables: tables, use: use, cost: cost)
        for table in tables {
            readers[table, default: TableReaders()].set(query, use?.filters[table], isKept: true)
            if use != nil { readers[table]?.cost += cost }
        }
    }

    mutating func remove(_ query: any SharedQuery) {
        guard let entry = entries.removeValue(forKey: ObjectIdentifier(query)) else { return }
        for table in entry.tables {
            readers[table]?.set(query, entry.use?.filters[table], isKept: false)
            if entry.use != nil { readers[table]?.cost -= entry.cost }
            if readers[table]?.isEmpty == true { readers[table] = nil }
        }
    }

    /// Finds the queries that a commit may concern: those that can use its rows, and those that have to run again.
    ///
    /// - Complexity: O(log *n*) for each changed row and each query that is found, of *n* queries.
    func match(_ record: CommitRecord) -> LiveMatch {
        guard case .some(let tables) = record.tables else { return LiveMatch(reread: entries.values.map(\.query)) }
        var match = LiveMatch()
        for table in tables {
            guard let readers = readers[table] else { continue }
            switch record.rows.changes(of: table) {
            // Where values are not compared by their bytes, no row says whom it concerns.
            case .rows(let changes) where changes.layout.isExact:
                match.reread += readers.blind.values
                readers.find(changes) { match.apply.append(($0, changes)) }
            case .nothing: break
            case .rows, nil: match.reread += readers.queries
            }
        }
        return match
    }
}

/// The queries that a commit may concern.
struct LiveMatch {
    /// Those that can use its rows.
    var apply: [(query: any SharedQuery, changes: TableChanges)] = []
    /// Those that have to run again.
    var reread: [any SharedQuery] = []
}

/// The live queries of one table, found by the values of its rows.
private struct TableReaders {
    typealias Queries = [ObjectIdentifier: any SharedQuery]

    /// Those that cannot use rows.
    private(set) var blind = Queries()
    /// Those that any row may concern.
    private var all: Queries = [:]
    /// Those that rows concern in which a column has a certain value.
    private var equal: [String: [SQLValue: Queries]] = [:]
    /// Those that rows concern in which the value of a column is in a range.
    private var ranges: [String: RangeIndex] = [:]
    /// What it takes to read those again that can use rows.
    var cost = Duration.zero {
        didSet {
            let rows = min(max(Int(cost / Self.rowCost), Self.budgets.lowerBound), Self.budgets.upperBound)
            // What is measured varies, and another budget begins anew.
            if rows >= 2 * budget || 2 * rows <= budget { budget = rows }
        }
    }
    /// How many changed rows take as long to be copied and applied.
    private(set) var budget = CaptureInterest.usualBudget

    /// What a changed row takes: 0.9 µs were measured on a fast machine, 2.4 on a busy one.
    private static let rowCost = Duration.nanoseconds(1_500)
    private static let budgets = 1_024...32_768

    var isEmpty: Bool { blind.isEmpty && !canUseRows }

    var canUseRows: Bool { !(all.isEmpty && equal.isEmpty && ranges.isEmpty) }

    /// All of them; one with several values is there several times.
    var queries: [any SharedQuery] {
        var queries = Array(blind.values) + Array(all.values)
        for found in equal.values.flatMap(\.values) { queries += found.values }
        for index in ranges.values { queries += index.queries }
        return queries
    }

    /// Keeps a query by what it can use, or forgets it; `nil` when it cannot use rows.
    mutating func set(_ query: any SharedQuery, _ filter: RowFilter?, isKept: Bool) {
        let (id, entry) = (ObjectIdentifier(query), isKept ? query : nil)
        switch filter {
        case nil: blind[id] = entry
        case .any: all[id] = entry
        case .equal(let column, let values):
            for value in values {
                equal[column, default: [:]][value, default: [:]][id] = entry
                if equal[column]?[value]?.isEmpty == true { equal[column]?[value] = nil }
            }
            if equal[column]?.isEmpty == true { equal[column] = nil }
        case .range(let column, let range):
            let index = ranges[column] ?? RangeIndex()
            if isKept { index.add(query, range) } else { index.remove(query, range) }
            ranges[column] = index.isEmpty ? nil : index
        }
    }

    /// Passes each query to `body` that changed rows may concern, once.
    func find(_ changes: TableChanges, _ body: (any SharedQuery) -> Void) {
        for query in all.values { body(query) }
        var found: Set<ObjectIdentifier> = []
        func pass(_ query: any SharedQuery) {
            if found.insert(ObjectIdentifier(query)).inserted { body(query) }
        }
        // A column that the table spells in another way has no index; its queries find out for themselves.
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
