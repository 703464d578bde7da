/// The attached live queries, found by the tables that they read.
struct LiveIndex {
    private var all: [ObjectIdentifier: LiveNode] = [:]
    private var readers: [String: [ObjectIdentifier: LiveNode]] = [:]

    var count: Int { all.count }

    var nodes: [LiveNode] { Array(all.values) }

    /// Keeps a node under the tables that it read, in place of those of its last run.
    ///
    /// - Complexity: O(1) when the tables are the same as before, else O(number of tables).
    mutating func keep(_ node: LiveNode, reading tables: Set<String>) {
        if node.tables == tables { return }
        let id = ObjectIdentifier(node)
        for table in node.tables ?? [] { readers[table]?[id] = nil }
        node.tables = tables
        all[id] = node
        for table in tables { readers[table, default: [:]][id] = node }
    }

    mutating func remove(_ node: LiveNode) {
        let id = ObjectIdentifier(node)
        guard all.removeValue(forKey: id) != nil else { return }
        for table in node.tables ?? [] { readers[table]?[id] = nil }
        node.tables = nil
    }

    /// The nodes that read one of the changed tables.
    ///
    /// - Complexity: O(matching nodes), whatever the number of all nodes.
    func matching(_ changed: DirtyTables) -> [LiveNode] {
        guard case .some(let tables) = changed else { return nodes }
        if tables.count == 1, let table = tables.first { return readers[table].map { Array($0.values) } ?? [] }
        let matching = tables.reduce(into: [ObjectIdentifier: LiveNode]()) { matching, table in
            matching.merge(readers[table] ?? [:]) { node, _ in node }
        }
        return Array(matching.values)
    }
}
