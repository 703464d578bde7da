/// The live queries of one table, found by the values of its rows.
struct TableReaders {
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
        for (column, nodes) in equal {
            Self.values(of: column, changes) { value in nodes[value]?.values.forEach(tell) }
        }
        for (column, index) in ranges {
            Self.values(of: column, changes) { value in index.find(value, tell) }
        }
    }

    /// Passes the values that a column had and has in the changed rows.
    private static func values(of column: String, _ changes: TableChanges, _ body: (SQLValue) -> Void) {
        guard let place = changes.layout.place(of: column) else { return }
        for change in changes.changes {
            if let old = change.old?[place] { body(old) }
            if let new = change.new?[place], new != change.old?[place] { body(new) }
        }
        for change in changes.renumbered {
            if let new = change.new?[place] { body(new) }
        }
    }
}
