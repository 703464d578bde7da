/// What a listener wants to be notified of: the changes of some tables or of all.
public struct ChangeRequest: Sendable {
    /// How many changed rows may wait for a sink that has fallen behind, by default.
    public static let defaultBacklog = 100_000

    /// The names of the tables; nil for all.
    public let tables: Set<String>?
    /// How many changed rows may wait for a sink that has fallen behind; see `Repository.changes(backlog:)`.
    public let backlog: Int
    /// The only row of interest, identified by the values of some columns.
    let row: (columns: [String], values: [SQLValue])?

    /// Requests the changes of all tables.
    public init(backlog: Int = defaultBacklog) {
        (tables, row) = (nil, nil)
        self.backlog = backlog
    }

    /// Requests the changes of the tables of some entities.
    public init(entities: [any Entity.Type], backlog: Int = defaultBacklog) {
        tables = Set(entities.map { $0.entityName })
        row = nil
        self.backlog = backlog
    }

    /// Requests the changes of one item.
    init<Item: Entity>(_ item: Item.Type, id: Item.ID) throws(RepositoryError) {
        let key = try Item.schema.key
        row = (key.names, try key.values(of: id))
        tables = [Item.entityName]
        backlog = Self.defaultBacklog
    }

    /// Returns the requested part of a change set; nil when there is none.
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
