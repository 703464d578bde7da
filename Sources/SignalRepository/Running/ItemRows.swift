/// The rows of a query, read one after another in one transaction, on a connection of its own.
final class ItemRows<Item> {
    private let session: Session
    private let statement: Statement
    private let cancellation: CancellationFlag
    private let read: @Sendable (Statement) throws(RepositoryError) -> Item

    init(
        _ session: Session, _ sql: SQLText, _ cancellation: CancellationFlag,
        _ read: @escaping @Sendable (Statement) throws(RepositoryError) -> Item
    ) throws(RepositoryError) {
        self.session = session
        (self.cancellation, self.read) = (cancellation, read)
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
            try statement.step() ? try read(statement) : nil
        }
    }

    func close() {
        statement.reset()
        // Which ends the transaction.
        session.close()
    }
}
