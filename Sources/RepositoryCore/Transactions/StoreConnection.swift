/// An engine's connection to a store, on which transactions run.
///
/// Calls are dispatched dynamically for each statement, but not for each value: values go through `RowSource` and
/// `RowTarget`. Only one thread at a time may use a connection.
package protocol StoreConnection: AnyObject {
    associatedtype Statement: StoreStatement

    var dialect: any Dialect { get }

    /// Returns a statement with its values bound, ready to be executed. Parts of it may be raw SQL.
    ///
    /// If the SQL does not compile, the transaction stays usable and unchanged.
    func statement(_ sql: SQLText) throws(RepositoryError) -> Statement
    /// Returns a query that fetches its rows incrementally, as they are read.
    ///
    /// A connection can have only one such query at a time.
    func rows(of sql: SQLText) throws(RepositoryError) -> Statement
    /// Returns a statement of the library, whose values are bound row by row.
    func prepared(_ sql: SQLText) throws(RepositoryError) -> Statement
    /// Begins to write many items in blocks, each item as the statement `kind` would write it. With `isAtomic`, either
    /// all items are stored or none. Returns `nil` if the engine executes one statement for each item instead.
    func bulk<Item: Entity>(
        _ kind: FixedStatement, of entity: Item.Type, isAtomic: Bool
    ) throws(RepositoryError) -> (any BulkWriter)?
    /// Forgets every prepared statement, so that each is prepared again when it is next used.
    func forgetStatements()
    /// Returns whether the engine has recompiled a statement since the last call, because tables have changed.
    func takeRecompilation() -> Bool

    func begin(_ kind: TransactionKind) throws(RepositoryError)
    /// Commits the transaction. Even after a failure, no transaction is open.
    ///
    /// Throws `.commitOutcomeUnknown` if it is unknown whether the store has the commit.
    func commit() throws(RepositoryError)
    /// Undoes the transaction, if one is open. After some failures, the engine has already ended it.
    func rollback() throws(RepositoryError)
    var isInTransaction: Bool { get }
    /// Whether the work must run again in a transaction, because it began as a single statement and executed a second
    /// one, or because another connection has changed or rewritten tables that it read.
    var needsReread: Bool { get }
    /// Updates `needsReread` at the end of a transaction.
    func checkForReread() throws(RepositoryError)
    /// Returns the tables that database functions, called by statements, have read in this transaction.
    func tablesOfFunctions() -> Set<String>
    func savepoint(_ step: SavepointStep, depth: Int) throws(RepositoryError)
    /// Does work whose failure leaves the transaction usable. An engine in which errors end a transaction uses a
    /// savepoint for this.
    func attempt<Output>(_ work: () throws(RepositoryError) -> Output) throws(RepositoryError) -> Output
    /// Does work that `flag` can stop; stopped work fails with `.cancelled`.
    func withCancellation<Result, Failure: Error>(
        _ flag: CancellationFlag?, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result

    /// Returns the layouts of the tables that are foreign (see `TableLayout.isForeign`); `nil` if changed rows of one
    /// of the tables cannot update live queries.
    func foreignLayouts(of tables: Set<String>) throws(RepositoryError) -> [String: TableLayout]?

    /// Returns a function that orders texts as `operation` does in the engine; `nil` if there is no such function.
    func comparison(of operation: Operation) -> (@Sendable (String, String) -> Int)?

    /// The number of rows that the last statement changed, excluding the rows that triggers and cascades changed.
    var changes: Int { get }
    /// A number that grows with every changed row, including the rows that triggers and cascades change.
    var totalChanges: Int { get }
    /// The key that was generated last.
    var lastKey: Int64 { get }

    /// Returns whether the store keeps a history; `nil` for an engine that cannot keep a history.
    func keepsHistory() throws(RepositoryError) -> Bool?

    /// Returns the columns of the first foreign key that a row of a table violates; `values` returns the known values.
    func brokenReference(by values: (_ column: String) -> SQLValue?, in table: String) throws(RepositoryError)
        -> [String]?
    /// Returns the columns of a foreign key that prevents the deletion of rows of a table, or the change of their keys.
    func restrictingReference(_ rows: SQLText, of table: String, isDeletion: Bool) throws(RepositoryError) -> [String]?
    /// Returns a diagnosis for a trigger that altered a write, as the engine would report it if the trigger had failed.
    func diagnosis(ofTrigger message: String, _ statement: any StoreStatement) -> Diagnosis
    /// Returns the error of a statement with the details that only its connection knows.
    func naming(_ error: RepositoryError, of statement: any StoreStatement) -> RepositoryError

    /// Releases every statement and closes the connection.
    func close()
}

package enum TransactionKind {
    /// Reads one unchanging state.
    case read
    /// Reads and writes; SQLite takes the write lock at the beginning, so that no later statement fails because another
    /// connection holds the lock.
    case write
    /// Executes one statement that reads; PostgreSQL executes it without BEGIN and COMMIT.
    case readingStatement
    /// Executes one statement that writes; PostgreSQL executes it without BEGIN and COMMIT.
    case writingStatement

    package var isReading: Bool { self == .read || self == .readingStatement }
}

extension StoreConnection {
    package var needsReread: Bool { false }

    package func checkForReread() throws(RepositoryError) {}

    package func tablesOfFunctions() -> Set<String> { [] }

    package func keepsHistory() throws(RepositoryError) -> Bool? { nil }

    package func foreignLayouts(of tables: Set<String>) throws(RepositoryError) -> [String: TableLayout]? { [:] }

    package func comparison(of operation: Operation) -> (@Sendable (String, String) -> Int)? { nil }

    package func rows(of sql: SQLText) throws(RepositoryError) -> Statement { try statement(sql) }

    package func bulk<Item: Entity>(
        _ kind: FixedStatement, of entity: Item.Type, isAtomic: Bool
    ) throws(RepositoryError) -> (any BulkWriter)? { nil }
}

/// A step of a nested transaction.
package enum SavepointStep {
    case begin
    /// Keeps the changes since the beginning.
    case release
    /// Undoes the changes since the beginning, and ends the inner transaction.
    case rollback
}
