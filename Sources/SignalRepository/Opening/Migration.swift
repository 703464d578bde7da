/// A step in the history of a store that cannot be inferred from the entities: a renamed table or column, values that
/// change their form.
///
/// ```swift
/// let repository = try SQLiteRepository(
///     .file("movies.sqlite"), entities: Movie.self,
///     migrations: [
///         Migration("gross becomes boxOffice") { store in
///             try store.renameColumn("gross", to: "boxOffice", of: "Movie")
///         },
///         Migration("studios have no spaces around them") { store in
///             try store.execute("UPDATE Movie SET studio = trim(studio)")
///         },
///     ])
/// ```
/// Opening a store for writing runs the steps that it has not seen, in the order of the list, then infers what is left
/// to do (new tables, columns and indexes, empty columns to drop), all of it in one transaction; if a step fails, the
/// file is left as it was. The store records the names of its steps, so each runs once, and a program that lacks one of
/// them, because it is older than the store, is rejected with `.schemaMismatch` before it can drop what it does not
/// know. So a step stays in the list for good; one without a body is just such a marker.
///
/// A new store is created as the entities are declared: it counts as having seen every step and runs none. What a step
/// makes that no entity declares, such as a trigger, a new store gets from `whenNew:`, which may call the same
/// function.
public struct Migration: Sendable {
    /// The name recorded in the store; no two steps have the same one.
    public let name: String
    let body: @Sendable (MigrationTransaction) throws -> Void

    /// Creates a step from a name and a body.
    ///
    /// The tables are those of the previous version: their names and columns may differ from what the entities declare
    /// now, so a step names them by text, or uses SQL. References are not enforced while steps run, so a table can be
    /// replaced and deleting a row deletes no other; they are checked at the end.
    public init(_ name: String, _ body: @escaping @Sendable (MigrationTransaction) throws -> Void = { _ in }) {
        self.name = name
        self.body = body
    }
}

/// What a migration works with: the tables as they are before the entities of this version are considered; in
/// `whenNew:`, the tables as they are declared.
///
/// It is valid only in the body of its step; afterwards everything on it fails with `.transactionEnded`.
public final class MigrationTransaction {
    let store: WriteTransaction
    let tables: any StoreTables

    /// Whether `insert(_:)` stores the times that items have in columns with `.created` and `.updated`, instead of the
    /// time of the migration; see `WriteTransaction.preservesTimes`.
    public var preservesTimes: Bool {
        get { store.preservesTimes }
        set { store.preservesTimes = newValue }
    }

    init(_ store: WriteTransaction, _ tables: any StoreTables) {
        (self.store, self.tables) = (store, tables)
    }

    /// Executes a statement, and returns the number of rows that it changed directly.
    ///
    /// Values are bound to its question marks, or interpolated; see `SQL`. For a `Decimal`, state the decimal
    /// places it is stored with: `Decimal(40).bound(scale: 2)`.
    /// - Failure: `.misuse` when the statement does not compile, has a different number of parameters, or begins or
    ///   ends a transaction; whatever the statement fails with.
    @discardableResult
    public func execute(_ sql: SQL, _ values: any BindableValue...) throws(RepositoryError) -> Int {
        let count = try store.execute(sql, values: values)
        try tables.statementRan()
        return count
    }

    /// Executes a statement that reads, and returns its rows.
    ///
    /// - Failure: `.misuse` when the statement does not compile, has a different number of parameters, or writes.
    public func rows(_ sql: SQL, _ values: any BindableValue...) throws(RepositoryError) -> [[SQLValue]] {
        try store.rows(of: sql.text(values))
    }
}

extension Migration {
    /// Runs the step in the open transaction.
    func run(on tables: any StoreTables) throws(RepositoryError) {
        let session = Session(tables.connection, now: tables.now)
        let store = WriteTransaction(session, CancellationFlag(), author: nil)
        let result = outcome(of: { store in try body(MigrationTransaction(store, tables)) }, with: store)
        // What it has prepared is of no use to those who come after it.
        session.forgetAllStatements()
        do {
            try store.conclude(result).get()
        } catch {
            switch error {
            case .busy, .full, .readOnly, .corrupt, .io, .outOfMemory: throw error
            case .rolledBack(let error): throw .migrationFailed(step: name, by: error)
            default: throw .migrationFailed(step: name, by: ThrownError(error))
            }
        }
    }
}
