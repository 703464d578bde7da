import Signals

/// The source of a stream's items.
package typealias OpenRows<Item: Sendable> = PulledOutbox<Item, RepositoryError>.Source

/// The rows of a query, read one after another in one transaction, on a dedicated connection.
final class ItemRows<Item> {
    private let session: Session
    private let statement: any StoreStatement
    private let cancellation: CancellationFlag
    private let read: @Sendable (RowSource) throws(RepositoryError) -> Item

    init(
        _ session: Session, _ sql: QuerySQL, _ cancellation: CancellationFlag,
        _ read: @escaping @Sendable (RowSource) throws(RepositoryError) -> Item
    ) throws(RepositoryError) {
        self.session = session
        (self.cancellation, self.read) = (cancellation, read)
        do {
            statement = try session.connection.withCancellation(cancellation) { () throws(RepositoryError) in
                try session.connection.begin(.read)
                return try session.rows(of: sql)
            }
        } catch {
            session.close()
            throw error
        }
    }

    func next() throws(RepositoryError) -> Item? {
        try session.connection.withCancellation(cancellation) { () throws(RepositoryError) in
            try statement.step() ? try read(statement.row) : nil
        }
    }

    func close() {
        statement.reset()
        // Closing the session also ends the transaction.
        session.close()
    }
}
