/// The attached live queries, found by the tables that they read, and by the rows that they can use.
struct LiveIndex {
    private struct Entry {
        let node: any LiveNode
        /// The tables that the node's last run has read.
        var tables: Set<String>
        /// The rows that it can use; `nil` when it has to run again whatever changed.
        var use: LiveUse?
    }

    /// The nodes of one table.
    private struct Readers {
        /// Those that any row may concern.
        var all: [ObjectIdentifier: any LiveNode] = [:]
        /// Those that one row alone concerns, by its primary key.
        var byKey: [SQLValue: [ObjectIdentifier: any LiveNode]] = [:]

        var nodes: [any LiveNode] { Array(all.values) + byKey.values.flatMap { $0.values } }
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var readers: [String: Readers] = [:]
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
        for table in tables {
            if let key = use?.key {
                readers[table, default: Readers()].byKey[key, default: [:]][id] = node
            } else {
                readers[table, default: Readers()].all[id] = node
            }
        }
        if let use { uses[use.table, default: 0] += 1 }
    }

    mutating func remove(_ node: any LiveNode) {
        let id = ObjectIdentifier(node)
        guard let entry = entries.removeValue(forKey: id) else { return }
        for table in entry.tables {
            readers[table]?.all[id] = nil
            guard let key = entry.use?.key else { continue }
            readers[table]?.byKey[key]?[id] = nil
            if readers[table]?.byKey[key]?.isEmpty == true { readers[table]?.byKey[key] = nil }
        }
        guard let use = entry.use, let count = uses[use.table] else { return }
        uses[use.table] = count > 1 ? count - 1 : nil
    }

    /// Finds the nodes that a commit may concern: those that can use its rows, and those that have to run again.
    ///
    /// - Complexity: O(nodes found), whatever the number of all nodes.
    func match(_ record: CommitRecord, apply: (any LiveNode, TableChanges) -> Void, rerun: (any LiveNode) -> Void) {
        guard case .some(let tables) = record.tables else { return nodes.forEach(rerun) }
        for table in tables {
            guard let readers = readers[table] else { continue }
            guard let change = record.rows.changes(of: table) else {
                readers.nodes.forEach(rerun)
                continue
            }
            guard case .rows(let changes) = change else { continue }
            for (id, node) in readers.all {
                if entries[id]?.use != nil { apply(node, changes) } else { rerun(node) }
            }
            guard !readers.byKey.isEmpty else { continue }
            for change in changes.changes {
                guard case .value(let key) = change.key, let nodes = readers.byKey[key] else { continue }
                for node in nodes.values { apply(node, changes) }
            }
        }
    }
}
