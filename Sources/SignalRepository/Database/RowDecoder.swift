import Signals

/// Makes items of rows that were captured, on whatever thread asks.
///
/// An entity reads its values from the current row of a statement. So the values are bound to a statement that returns
/// its parameters, on a connection to an empty database in memory; a few such connections are kept.
final class RowDecoder: Sendable {
    /// The greatest number of connections that are kept.
    private static let capacity = 2
    private let idle = Lock<[Connection]>([])

    /// Makes items of rows of a table.
    func items<Item: Entity>(
        _ entity: Item.Type, of rows: [[SQLValue]], in table: TableLayout
    ) throws(RepositoryError) -> [Item] {
        guard !rows.isEmpty else { return [] }
        let schema = Item.schema
        var places: [Int] = []
        for column in schema.columns {
            guard let place = table.place(of: column.name) else {
                throw .decoding(
                    entity: Item.entityName, column: column.name, detail: "the table has no column of this name")
            }
            places.append(place)
        }
        let connection = try take()
        defer { put(connection) }
        let statement = try connection.cached(SQLText.returning(parameters: places.count).text)
        defer { statement.clear() }
        var items: [Item] = []
        items.reserveCapacity(rows.count)
        for row in rows { items.append(try statement.item(schema, of: places.map { row[$0] })) }
        return items
    }

    private func take() throws(RepositoryError) -> Connection {
        if let connection = idle.withLock({ $0.popLast() }) { return connection }
        return try Connection(path: ":memory:", options: ConnectionOptions())
    }

    /// Keeps a connection for the next time; one too many is closed, outside of the lock.
    private func put(_ connection: Connection) {
        let surplus = idle.withLock { idle -> Connection? in
            guard idle.count < Self.capacity else { return connection }
            idle.append(connection)
            return nil
        }
        withExtendedLifetime(surplus) {}
    }
}
