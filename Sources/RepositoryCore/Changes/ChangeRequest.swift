/// The changes that a `changes` signal delivers: the changes of one row, of some tables, or of all tables.
struct ChangeRequest: Sendable {
    /// The names of the requested tables; `nil` for all tables.
    let tables: Set<String>?
    /// The number of changed rows that may wait for a slow sink; see `Repository.changes(backlog:)`.
    let backlog: Int
    /// The only requested row, identified by its key columns and their values; `nil` for all rows of the tables.
    let row: (columns: [String], values: [SQLValue])?

    /// Requests the changes of all tables.
    init(backlog: Int = 100_000) {
        (tables, row) = (nil, nil)
        self.backlog = backlog
    }

    init(entities: [any Entity.Type], backlog: Int) {
        tables = Set(entities.map { $0.entityName })
        row = nil
        self.backlog = backlog
    }

    init<Item: Entity>(_ item: Item.Type, id: Item.ID) throws(RepositoryError) {
        let key = try Item.schema.key
        row = (key.names, try key.values(of: id))
        tables = [Item.entityName]
        backlog = 100_000
    }

    /// Returns the requested part of a change set; `nil` if that part is empty.
    func part(of changes: ChangeSet) -> ChangeSet? {
        guard case .rows = changes.extent, let tables else { return changes }
        var part: [String: TableChanges] = [:]
        for name in tables {
            guard let table = changes.content[name] else { continue }
            part[name] = row.map { table.only($0.columns, $0.values) } ?? table
        }
        return part.isEmpty ? nil : changes.with(part)
    }
}
