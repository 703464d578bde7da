/// An engine's connection to a store, on which transactions run.
///
/// Calls are dispatched dynamically for each statement, never for each value: values go through `RowSource` and
/// `RowTarget`. A connection is used by one thread at a time.
package protocol StoreConnection: AnyObject {
    associatedtype Statement: StoreStatement

    var dialect: any Dialect { get }

    /// Returns a statement with its values bound, ready to be executed; parts of it may be raw SQL.
    ///
    /// SQL that does not compile leaves the transaction as it was.
    func statement(_ sql: SQLText) throws(RepositoryError) -> Statement
    /// Returns a query that fetches its rows incrementally, as they are read.
    ///
    /// A connection has at most one such query.
    func rows(of sql: SQLText) throws(RepositoryError) -> Statement
    /// Returns a statement of the library, whose values are bound row by row.
    func prepared(_ sql: SQLText) throws(RepositoryError) -> Statement
    /// Begins to write many items in blocks, each as the statement `kind` would, all or none if `isAtomic`; returns
    /// `nil` if the engine executes a statement for each item.
    func bulk<Item: Entity>(
        _ kind: FixedStatement, of entity: Item.Type, isAtomic: Bool
    ) throws(RepositoryError) -> (any BulkWriter)?
    /// Forgets every prepared statement, so that each is prepared again when it is next used.
    func forgetStatements()
    /// Returns whether a statement was recompiled, because the tables changed, since the last call.
    func takeRecompilation() -> Bool

    func begin(_ kind: TransactionKind) throws(RepositoryError)
    /// Commits; after a failure, no transaction is open.
    ///
    /// Throws `.commitOutcomeUnknown` if it is unknown whether the store has the commit.
    func commit() throws(RepositoryError)
    /// Undoes the transaction, if one is open: after some failures, the engine has already ended it.
    func rollback() throws(RepositoryError)
    var isInTransaction: Bool { get }
    /// Whether the work must run again in a transaction: it was begun as a single statement and executed another, or
    /// another program has changed the tables since it began.
    var needsReread: Bool { get }
    /// Updates `needsReread` at the end of a transaction.
    func checkForReread() throws(RepositoryError)
    /// Returns the tables that functions called by statements have read in this transaction.
    func tablesOfFunctions() -> Set<String>
    func savepoint(_ step: SavepointStep, depth: Int) throws(RepositoryError)
    /// Does work whose failure leaves the transaction usable: an engine that ends a transaction at the first error uses
    /// a savepoint.
    func attempt<Output>(_ work: () throws(RepositoryError) -> Output) throws(RepositoryError) -> Output
    /// Does work that `flag` can stop; stopped work fails with `.cancelled`.
    func withCancellation<Result, Failure: Error>(
        _ flag: CancellationFlag?, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result

    /// Whether rows of the tables compare in memory as they do in the engine: each column holds one storage class, and
    /// texts are compared by their bytes.
    func compareExactly(_ tables: Set<String>) throws(RepositoryError) -> Bool

    /// The number of rows that the last statement changed, excluding those changed by triggers and cascades.
    var changes: Int { get }
    /// A number that grows with every row that is changed, by triggers and cascades too.
    var totalChanges: Int { get }
    /// The key that was generated last.
    var lastKey: Int64 { get }

    /// Returns whether the store keeps a history; `nil` for an engine that cannot keep one.
    func keepsHistory() throws(RepositoryError) -> Bool?

    /// Returns the columns of the first reference that a row of a table breaks; `values` returns the known values.
    func brokenReference(by values: (_ column: String) -> SQLValue?, in table: String) throws(RepositoryError)
        -> [String]?
    /// Returns the columns of a reference that keeps rows of a table from being deleted, or their keys from changing.
    func restrictingReference(_ rows: SQLText, of table: String, isDeletion: Bool) throws(RepositoryError) -> [String]?
    /// Returns the diagnosis that the engine would report if a trigger that altered a write had raised an error.
    func diagnosis(ofTrigger message: String, _ statement: any StoreStatement) -> Diagnosis
    /// Returns the error of a statement with the details that only its connection knows.
    func naming(_ error: RepositoryError, of statement: any StoreStatement) -> RepositoryError

    /// Releases every statement and closes the connection.
    func close()
}

package enum TransactionKind {
    /// Reads one unchanging state.
    case read
    /// Writes; SQLite takes the write lock at once, so that no later statement fails for it.
    case write
    /// Executes one statement that reads; an engine where each statement is a transaction begins no other.
    case readingStatement
    /// Executes one statement that writes, likewise.
    case writingStatement

    package var isReading: Bool { self == .read || self == .readingStatement }
}

extension StoreConnection {
    package var needsReread: Bool { false }

    package func checkForReread() throws(RepositoryError) {}

    package func tablesOfFunctions() -> Set<String> { [] }

    package func keepsHistory() throws(RepositoryError) -> Bool? { nil }

    package func compareExactly(_ tables: Set<String>) throws(RepositoryError) -> Bool { true }

    package func rows(of sql: SQLText) throws(RepositoryError) -> Statement { try statement(sql) }

    package func bulk<Item: Entity>(
        _ kind: FixedStatement, of entity: Item.Type, isAtomic: Bool
    ) throws(RepositoryError) -> (any BulkWriter)? { nil }
}

/// A step of a transaction inside a transaction.
package enum SavepointStep {
    case begin
    /// Keeps the changes since the beginning.
    case release
    /// Undoes the changes since the beginning, and ends the inner transaction.
    case rollback
}
