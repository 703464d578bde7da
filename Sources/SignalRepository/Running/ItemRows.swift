/// The items of a query, read one after another in one transaction, on a connection of its own.
final class ItemRows<Item: Entity> {
    private let session: Session
    private let statement: Statement
    private let cancellation: CancellationFlag
    private let schema = Item.schema

    init(_ session: Session, _ sql: SQLText, _ cancellation: CancellationFlag) throws(RepositoryError) {
        self.session = session
        self.cancellation = cancellation
        do {
            statement = try session.connection.withCancellation(cancellation) { () throws(RepositoryError) in
                try session.connection.beginRead()
                return try session.statement(sql)
            }
        } catch {
            session.close()
            throw error
        }
    }

    func next() throws -> Item? {
        try session.connection.withCancellation(cancellation) { () throws(RepositoryError) in
            try statement.step() ? try statement.item(schema) : nil
        }
    }

    func close() {
        statement.reset()
        try? session.connection.rollback()
        session.close()
    }
}
