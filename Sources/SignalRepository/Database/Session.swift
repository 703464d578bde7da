/// A connection with the texts of the statements that every entity has: what transactions work on.
///
/// Like its connection, a session is used by one thread at a time.
final class Session {
    private struct Key: Hashable {
        let entity: ObjectIdentifier
        let kind: FixedStatement
    }

    let connection: Connection
    private var texts: [Key: String] = [:]

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// Returns one of the statements that an entity always has, ready to be bound.
    func statement<Item: Entity>(_ kind: FixedStatement, of entity: Item.Type) throws(RepositoryError) -> Statement {
        let key = Key(entity: ObjectIdentifier(entity), kind: kind)
        if let text = texts[key] { return try connection.cached(text) }
        let text = try SQLText.fixed(kind, of: entity).text
        texts[key] = text
        return try connection.cached(text)
    }

    /// Returns a statement with its values bound.
    func statement(_ sql: SQLText) throws(RepositoryError) -> Statement {
        let statement = try connection.cached(sql.text)
        guard statement.parameterCount == sql.bindings.count else {
            throw .misuse(
                detail: "\(sql.bindings.count) values for \(statement.parameterCount) parameters in: \(sql.text)")
        }
        try statement.bind(sql.bindings)
        return statement
    }
}

extension Session {
    /// Forgets the prepared statements if SQLite had to compile one anew; true when it had.
    func forgetOutdatedStatements() -> Bool {
        guard connection.monitor.hasRecompiled else { return false }
        connection.monitor.hasRecompiled = false
        connection.forgetStatements()
        return true
    }

    /// Runs a body in a transaction that reads.
    func read<Output>(
        _ cancellation: CancellationFlag, _ body: (ReadTransaction) throws -> Output
    ) -> Result<Output, RepositoryError> {
        do {
            defer { try? connection.rollback() }
            return try connection.withCancellation(cancellation) { () throws(RepositoryError) in
                try connection.beginRead()
                return outcome(of: body, with: ReadTransaction(self, cancellation))
            }
        } catch {
            return .failure(cancellation.isCancelled ? .cancelled : error)
        }
    }
}
