/// The statements of one entity on one connection that need nothing but its declaration, prepared when first used.
final class EntityStatements {
    private let keyScale: Int
    private let connection: Connection
    private let text: (FixedStatement) throws(RepositoryError) -> String
    private var prepared: [Statement?]

    init<Item: Entity>(of entity: Item.Type, on connection: Connection) throws(RepositoryError) {
        keyScale = try Item.schema.key.scale ?? 0
        self.connection = connection
        text = { kind throws(RepositoryError) in try SQLText.fixed(kind, of: entity).text }
        prepared = Array(repeating: nil, count: FixedStatement.allCases.count)
    }

    /// Returns a statement, ready to be bound.
    subscript(kind: FixedStatement) -> Statement {
        get throws(RepositoryError) {
            if let statement = prepared[kind.rawValue] { return statement }
            let statement = try connection.cached(try text(kind))
            statement.keyScale = keyScale
            prepared[kind.rawValue] = statement
            return statement
        }
    }
}
