import Foundation

/// A connection with the prepared statements of each entity, on which transactions run.
///
/// Like its connection, a session is used by one thread at a time.
package final class Session {
    package let connection: any StoreConnection
    package let dialect: any Dialect
    /// The clock for the time of transactions.
    package let now: @Sendable () -> Date
    /// The maximum memory of a live query that is read on this session; see `RepositoryConfiguration`.
    package var liveMemoryLimit = Int.max
    private var statements: [ObjectIdentifier: EntityStatements] = [:]
    private var readTime: Date?
    /// Whether a statement of the current transaction has used the transaction's time.
    private(set) var hasUsedTime = false

    package init(_ connection: any StoreConnection, now: @escaping @Sendable () -> Date = { Date() }) {
        (self.connection, self.now) = (connection, now)
        dialect = connection.dialect
        // Discards recompilations during opening, because the session has not prepared any statement yet.
        _ = connection.takeRecompilation()
    }

    /// The time of the current transaction, which all its statements share; the clock is read at the first use.
    package var time: Date {
        if let readTime { return readTime }
        let time = now()
        readTime = time
        return time
    }

    /// Begins a transaction; if `time` is `nil`, the first use of the transaction's time reads the clock.
    func begin(at time: Date?) { (readTime, hasUsedTime) = (time, false) }

    package func statements<Item: Entity>(of entity: Item.Type) throws(RepositoryError) -> EntityStatements {
        let key = ObjectIdentifier(entity)
        if let known = statements[key] { return known }
        let made = try EntityStatements(of: entity, on: connection)
        statements[key] = made
        return made
    }

    /// Returns a statement with its values bound; parts of it may be raw SQL.
    package func statement(_ sql: SQLText) throws(RepositoryError) -> any StoreStatement {
        try connection.statement(atTime(sql))
    }

    package func statement(_ sql: QuerySQL) throws(RepositoryError) -> any StoreStatement {
        try connection.statement(atTime(try sql.text(in: dialect)))
    }

    /// Returns a query that fetches its rows incrementally, as they are read.
    func rows(of sql: QuerySQL) throws(RepositoryError) -> any StoreStatement {
        try connection.rows(of: atTime(try sql.text(in: dialect)))
    }

    private func atTime(_ sql: SQLText) -> SQLText {
        if !sql.usesTime { return sql }
        hasUsedTime = true
        return sql.at(time)
    }
}

extension Session {
    /// Forgets the prepared statements if the engine has recompiled one, and returns whether it has.
    package func forgetOutdatedStatements() -> Bool {
        guard connection.takeRecompilation() else { return false }
        forgetAllStatements()
        return true
    }

    /// Forgets every prepared statement, so that each is prepared again when it is next used.
    package func forgetAllStatements() {
        statements.removeAll()
        connection.forgetStatements()
    }

    /// Releases every statement and closes the connection, so that no file descriptor stays open.
    package func close() {
        statements.removeAll()
        connection.close()
    }

    package func read(
        _ cancellation: CancellationFlag, as kind: TransactionKind = .read,
        _ body: (ReadTransaction) throws -> Void
    ) -> Result<Void, RepositoryError> {
        do {
            defer { try? connection.rollback() }
            let result = try connection.withCancellation(cancellation) { () throws(RepositoryError) in
                try connection.begin(kind)
                let transaction = ReadTransaction(self, cancellation)
                let result = Result { () throws(RepositoryError) in try transaction.run { try body(transaction) } }
                try connection.checkForReread()
                return result
            }
            guard connection.needsReread else { return result }
        } catch {
            return .failure(cancellation.reason ?? error)
        }
        _ = forgetOutdatedStatements()
        return read(cancellation, as: .read, body)
    }
}
