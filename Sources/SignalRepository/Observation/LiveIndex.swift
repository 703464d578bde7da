/// The attached live queries, found by the tables that they read.
struct LiveIndex {
    private struct Entry {
        let node: any LiveNode
        var tables: Set<String>
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var readers: [String: Set<ObjectIdentifier>] = [:]

    var count: Int { entries.count }

    var nodes: [any LiveNode] { entries.values.map(\.node) }

    /// Keeps a node under the tables that it read, in place of those of its last run.
    ///
    /// - Complexity: O(1) when the tables are the same as before, else O(number of tables).
    mutating func keep(_ node: any LiveNode, reading tables: Set<String>) {
        let id = ObjectIdentifier(node)
        if let known = entries[id] {
            if known.tables == tables { return }
            for table in known.tables.subtracting(tables) { readers[table]?.remove(id) }
        }
        entries[id] = Entry(node: node, tables: tables)
        for table in tables { readers[table, default: []].insert(id) }
    }

    mutating func remove(_ node: any LiveNode) {
        let id = ObjectIdentifier(node)
        guard let entry = entries.removeValue(forKey: id) else { return }
        for table in entry.tables { readers[table]?.remove(id) }
    }

    /// The nodes that read one of the changed tables.
    ///
    /// - Complexity: O(matching nodes), whatever the number of all nodes.
    func matching(_ changed: DirtyTables) -> [any LiveNode] {
        guard case .some(let tables) = changed else { return nodes }
        if tables.count == 1, let table = tables.first {
            return (readers[table] ?? []).compactMap { entries[$0]?.node }
        }
        let matching = tables.reduce(into: Set<ObjectIdentifier>()) { $0.formUnion(readers[$1] ?? []) }
        return matching.compactMap { entries[$0]?.node }
    }
}
