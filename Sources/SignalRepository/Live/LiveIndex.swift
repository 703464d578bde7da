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
    func match(_ record: CommitRecord) -> (apply: [(node: any LiveNode, changes: TableChanges)], rerun: [any LiveNode]) {
        guard case .some(let tables) = record.tables else { return ([], nodes) }
        var apply: [(node: any LiveNode, changes: TableChanges)] = []
        var rerun: [any LiveNode] = []
        for table in tables {
            guard let readers = readers[table] else { continue }
            switch record.rows.changes(of: table) {
            // Where values are not compared by their bytes, no row says whom it concerns.
            case .rows(let changes) where changes.layout.isExact:
                rerun += readers.blind.values
                readers.find(changes) { apply.append(($0, changes)) }
            case .nothing: break
            case .rows, nil: rerun += readers.nodes
            }
        }
        return (apply, rerun)
    }
}
