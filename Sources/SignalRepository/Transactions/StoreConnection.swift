/// A connection of an engine to a store: what transactions are made of, whatever the engine.
///
/// It is abstract for each statement, and never for each value: those go through `RowSource` and `RowTarget`. A
/// connection is used by one thread at a time.
package protocol StoreConnection: AnyObject {
    var dialect: any Dialect { get }

    /// Returns a statement with its values bound, ready to be executed; parts of it may be raw SQL.
    ///
    /// A text that does not compile leaves the transaction as it was.
    func statement(_ sql: SQLText) throws(RepositoryError) -> any StoreStatement
    /// Returns a query whose rows are fetched little by little, as they are asked for.
    ///
    /// It is the only one of its connection.
    func rows(of sql: SQLText) throws(RepositoryError) -> any StoreStatement
    /// Returns one of the library's own statements, whose values are bound row by row.
    func prepared(_ sql: SQLText) throws(RepositoryError) -> any StoreStatement
    /// Begins to store many items with what one of the statements of their entity does for each, all or none if it is
    /// whole; `nil` where each has a statement of its own.
    func bulk<Item: Entity>(
        _ kind: FixedStatement, of entity: Item.Type, isWhole: Bool
    ) throws(RepositoryError) -> (any StoreBulk)?
    /// Forgets every prepared statement, so that each is compiled again when it is next used.
    func forgetStatements()
    /// Whether a statement had to be compiled again because the tables changed, since this was last asked.
    func takeRecompilation() -> Bool

    func begin(_ kind: TransactionKind) throws(RepositoryError)
    /// Commits; after any failure no transaction is open any more.
    ///
    /// A failure after which the state of the store is unknown is `.commitOutcomeUnknown`.
    func commit() throws(RepositoryError)
    /// Undoes the transaction, if one is open: an engine ends one by itself after some failures.
    func rollback() throws(RepositoryError)
    var isInTransaction: Bool { get }
    /// Whether the work must be done again in a transaction: it was to be one statement and has asked for another, or
    /// another program has changed the tables since it began.
    var mustReadAgain: Bool { get }
    /// Checks that at the end of a transaction.
    func concludeReading() throws(RepositoryError)
    /// The tables that functions in custom statements have read in this transaction, as far as it is not
    /// known from the statements.
    func tablesOfFunctions() -> Set<String>
    func savepoint(_ step: SavepointStep, depth: Int) throws(RepositoryError)
    /// Does work after whose failure the transaction can go on: an engine that ends a transaction at the first error
    /// does it in a savepoint.
    func attempt<Output>(_ work: () throws(RepositoryError) -> Output) throws(RepositoryError) -> Output
    /// Does work that `flag` can stop, which then fails with `.cancelled`.
    func withCancellation<Result, Failure: Error>(
        _ flag: CancellationFlag?, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result

    /// Whether the rows of all tables say everything about them: each column holds one class of values, and texts are
    /// compared by their bytes.
    func areExact(_ tables: Set<String>) throws(RepositoryError) -> Bool

    /// The number of rows that the last statement changed, excluding those changed by triggers and cascades.
    var changes: Int { get }
    /// A number that grows with every row that is changed, by triggers and cascades too.
    var totalChanges: Int { get }
    /// The key that was generated last.
    var lastKey: Int64 { get }

    /// The columns of the first reference that a row of a table breaks; `values` gives the known ones.
    func brokenReference(by values: (_ column: String) -> SQLValue?, in table: String) throws(RepositoryError)
        -> [String]?
    /// The columns of a reference that keeps rows of a table from being deleted, or their keys from being changed.
    func keepingReference(_ rows: SQLText, of table: String, isDeletion: Bool) throws(RepositoryError) -> [String]?
    /// What the engine would report if a trigger that changed what a statement did had refused it.
    func diagnosis(ofTrigger message: String, _ statement: any StoreStatement) -> Diagnosis
    /// The error of a statement, with what only its connection knows of the cause.
    func naming(_ error: RepositoryError, of statement: any StoreStatement) -> RepositoryError

    /// Releases every statement and closes.
    func close()
}

package enum TransactionKind {
    /// Reading one unchanging state.
    case read
    /// Writing; what that locks is locked at once, so that it cannot fail halfway.
    case write
    /// One statement that reads: where each statement is a transaction by itself, none is begun around it.
    case readingStatement
    /// One statement that writes, likewise.
    case writingStatement

    package var isReading: Bool { self == .read || self == .readingStatement }
}

extension StoreConnection {
    package var mustReadAgain: Bool { false }

    package func concludeReading() throws(RepositoryError) {}

    package func tablesOfFunctions() -> Set<String> { [] }

    package func areExact(_ tables: Set<String>) throws(RepositoryError) -> Bool { true }

    package func rows(of sql: SQLText) throws(RepositoryError) -> any StoreStatement { try statement(sql) }

    package func bulk<Item: Entity>(
        _ kind: FixedStatement, of entity: Item.Type, isWhole: Bool
    ) throws(RepositoryError) -> (any StoreBulk)? { nil }
}

/// What is done with a transaction inside a transaction.
package enum SavepointStep {
    case begin
    /// Keeps what was done since.
    case release
    /// Undoes what was done since, and ends it.
    case rollback
}
