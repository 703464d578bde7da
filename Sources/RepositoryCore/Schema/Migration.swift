/// A change of a store that cannot be inferred from the entities, such as a renamed table or another encoding.
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
/// Each migration is a step. Opening a store for writing runs the steps that the store has not recorded, in the order
/// of the list. Then it infers the other changes: new tables, columns and indexes, and empty columns to drop.
/// Everything happens in one transaction, so a step that fails leaves the file as it was. The store records the name of
/// each step, so each runs once. If the list lacks a recorded step, the program is older than the store. Opening then
/// fails with `.schemaMismatch`, before the program can drop anything that it does not know. A step must therefore stay
/// in the list permanently. The only effect of a step without a body is that older programs fail in this way.
///
/// A new store gets the tables that the entities declare. It records every step without running it. If a step makes
/// something that no entity declares, such as a trigger, make it in `whenNew:` as well, with the same function.
public struct Migration: Sendable {
    /// The name recorded in the store, unique among the steps.
    public let name: String
    package let body: @Sendable (MigrationTransaction) throws -> Void

    /// Creates a step from a name and a body.
    ///
    /// The body works on the tables as the previous version of the program left them. Their names and columns may
    /// differ from the entities, so a step names them by text, or uses SQL. Foreign keys are not enforced while steps
    /// run, so a table can be replaced, and deleting a row does not cascade. Foreign keys are checked at the end of the
    /// transaction.
    public init(_ name: String, _ body: @escaping @Sendable (MigrationTransaction) throws -> Void = { _ in }) {
        self.name = name
        self.body = body
    }
}

/// The handle through which a migration changes a store.
///
/// In a step, the tables are as the previous version of the program left them. In `whenNew:`, they are as declared. The
/// handle is valid only in the body that receives it. Afterwards, every call on it fails with `.transactionEnded`.
public final class MigrationTransaction {
    let store: WriteTransaction
    let tables: any StoreTables

    /// Whether `create(_:)` and `insert(_:)` store the items' own times in columns with `.created` and `.updated`,
    /// instead of the time of the migration; see `WriteTransaction.preservesTimes`.
    public var preservesTimes: Bool {
        get { store.preservesTimes }
        set { store.preservesTimes = newValue }
    }

    init(_ store: WriteTransaction, _ tables: any StoreTables) {
        (self.store, self.tables) = (store, tables)
    }

    /// Executes a statement, and returns the number of rows that it changed directly.
    ///
    /// Values are bound to the question marks in the SQL, or interpolated; see `SQL`. For a `Decimal`, state the
    /// decimal places of the column: `Decimal(40).bound(scale: 2)`.
    /// - Failure: `.misuse` when the statement does not compile, has a different number of parameters, or begins or
    ///   ends a transaction; any error of the statement.
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
    /// Runs the migration in the open transaction.
    func run(on tables: any StoreTables) throws(RepositoryError) {
        let session = Session(tables.connection, now: tables.now)
        let store = WriteTransaction(session, CancellationFlag(), author: nil)
        // Later migrations do not use the statements that this migration has prepared.
        defer { session.forgetAllStatements() }
        do throws(RepositoryError) {
            try store.run { try body(MigrationTransaction(store, tables)) }
        } catch {
            switch error {
            case .busy, .full, .readOnly, .corrupt, .io, .outOfMemory: throw error
            case .rolledBack(let error): throw .migrationFailed(step: name, by: error)
            default: throw .migrationFailed(step: name, by: ThrownError(error))
            }
        }
    }
}
