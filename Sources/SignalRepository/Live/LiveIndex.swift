/// The attached live queries, found by the tables that they read, and by the rows that they can use.
struct LiveIndex {
    private struct Entry {
        let node: any LiveNode
        /// The tables that the node's last run has read.
        var tables: Set<String>
        /// The rows that it can use; `nil` when it has to run again whatever changed.
        var use: LiveUse?
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var readers: [String: TableReaders] = [:]
    /// How many nodes can use the rows of each table.
    private var uses: [String: Int] = [:]

    var count: Int { entries.count }

    var nodes: [any LiveNode] { entries.values.map(\.node) }

    /// The tables whose rows are of use to somebody.
    var usefulTables: Set<String> { Set(uses.keys) }

    /// Registers a node under the tables that it read, replacing those of its last run.
    ///
    /// - Complexity: O(1) when the tables are the same as before, else O(number of tables).
    mutating func keep(_ node: any LiveNode, reading tables: Set<String>) {
        let id = ObjectIdentifier(node)
        if entries[id]?.tables == tables { return }
        remove(node)
        // A name that the statement spells in another way, or a view, is another table to the hook.
        let use = node.use.flatMap { tables == [$0.table] ? $0 : nil }
        entries[id] = Entry(node: node, tables: tables, use: use)
        for table in tables { readers[table, default: TableReaders()].add(node, use?.filter) }
        if let use { uses[use.table, default: 0] += 1 }
    }

    mutating func remove(_ node: any LiveNode) {
        guard let entry = entries.removeValue(forKey: ObjectIdentifier(node)) else { return }
        for table in entry.tables {
            readers[table]?.remove(node, entry.use?.filter)
            if readers[table]?.isEmpty == true { readers[table] = nil }
        }
        guard let use = entry.use, let count = uses[use.table] else { return }
        uses[use.table] = count > 1 ? count - 1 : nil
    }

    /// Finds the nodes that a commit may concern: those that can use its rows, and those that have to run again.
    ///
    /// - Complexity: O(log *n*) for each changed row and for each node that is found, whatever the number *n* of nodes.
    func match(_ record: CommitRecord) -> LiveMatch {
        guard case .some(let tables) = record.tables else { return LiveMatch(rerun: nodes) }
        var match = LiveMatch()
        for table in tables {
            guard let readers = readers[table] else { continue }
            switch record.rows.changes(of: table) {
            // Where values are not compared by their bytes, no row says whom it concerns.
            case .rows(let changes) where changes.layout.isExact:
                match.rerun += readers.blind.values
                readers.find(changes) { match.apply.append(($0, changes)) }
            case .nothing: break
            case .rows, nil: match.rerun += readers.nodes
            }
        }
        return match
    }
}

/// The nodes that a commit may concern.
struct LiveMatch {
    /// Those that can use its rows.
    var apply: [(node: any LiveNode, changes: TableChanges)] = []
    /// Those that have to run again.
    var rerun: [any LiveNode] = []
}

/// The live queries of one table, found by the values of its rows.
private struct TableReaders {
    private typealias Nodes = [ObjectIdentifier: any LiveNode]

    /// Those that cannot use rows.
    private(set) var blind: [ObjectIdentifier: any LiveNode] = [:]
    /// Those that any row may concern.
    private var all: Nodes = [:]
    /// Those that rows concern in which a column has a certain value.
    private var equal: [String: [SQLValue: Nodes]] = [:]
    /// Those that rows concern in which the value of a column is in a range.
    private var ranges: [String: RangeIndex] = [:]

    var isEmpty: Bool { blind.isEmpty && all.isEmpty && equal.isEmpty && ranges.isEmpty }

    /// All of them; one with several values is there several times.
    var nodes: [any LiveNode] {
        var nodes = Array(blind.values) + Array(all.values)
        for found in equal.values.flatMap(\.values) { nodes += found.values }
        for index in ranges.values { nodes += index.nodes }
        return nodes
    }

    /// Adds a node with what it can use; `nil` when it cannot use rows.
    mutating func add(_ node: any LiveNode, _ filter: RowFilter?) {
        let id = ObjectIdentifier(node)
        switch filter {
        case nil: blind[id] = node
        case .any: all[id] = node
        case .equal(let column, let values):
            for value in values { equal[column, default: [:]][value, default: [:]][id] = node }
        case .range(let column, let range):
            let index = ranges[column] ?? RangeIndex()
            index.add(node, range)
            ranges[column] = index
        }
    }

    mutating func remove(_ node: any LiveNode, _ filter: RowFilter?) {
        let id = ObjectIdentifier(node)
        switch filter {
        case nil: blind[id] = nil
        case .any: all[id] = nil
        case .equal(let column, let values):
            for value in values {
                equal[column]?[value]?[id] = nil
                if equal[column]?[value]?.isEmpty == true { equal[column]?[value] = nil }
            }
            if equal[column]?.isEmpty == true { equal[column] = nil }
        case .range(let column, let range):
            ranges[column]?.remove(node, range)
            if ranges[column]?.isEmpty == true { ranges[column] = nil }
        }
    }

    /// Passes each node to `body` that changed rows may concern, once.
    func find(_ changes: TableChanges, _ body: (any LiveNode) -> Void) {
        for node in all.values { body(node) }
        var found: Set<ObjectIdentifier> = []
        func tell(_ node: any LiveNode) {
            if found.insert(ObjectIdentifier(node)).inserted { body(node) }
        }
        // A column that the table spells in another way has no place; its nodes find out for themselves.
        for (column, nodes) in equal {
            guard let place = changes.layout.place(of: column) else {
                nodes.values.flatMap(\.values).forEach(tell)
                continue
            }
            Self.values(at: place, changes) { value in nodes[value]?.values.forEach(tell) }
        }
        for (column, index) in ranges {
            guard let place = changes.layout.place(of: column) else {
                index.nodes.forEach(tell)
                continue
            }
            Self.values(at: place, changes) { value in index.find(value, tell) }
        }
    }

    /// Passes the values that a column had and has in the changed rows.
    private static func values(at place: Int, _ changes: TableChanges, _ body: (SQLValue) -> Void) {
        for change in changes.changes {
            if let old = change.old?[place] { body(old) }
            if let new = change.new?[place], new != change.old?[place] { body(new) }
        }
        for change in changes.renumbered {
            if let new = change.new?[place] { body(new) }
        }
    }
}
