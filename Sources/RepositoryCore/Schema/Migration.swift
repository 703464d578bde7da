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
/// Opening a store for writing runs the steps that it has not seen, in the order of the list. Then it infers the other
/// changes: new tables, columns and indexes, and empty columns to drop. All of it is one transaction; if a step fails,
/// the file is left as it was. The store records the names of its steps, so each runs once. A program that lacks one of
/// them is older than the store, and is rejected with `.schemaMismatch` before it can drop anything that it does not
/// know. So a step must stay in the list for good. A step without a body only has the effect that older programs are
/// rejected.
///
/// A new store is created as the entities are declared: it counts as having seen every step and runs none. If a step
/// makes something that no entity declares, such as a trigger, make it in `whenNew:` too, with the same function.
public struct Migration: Sendable {
    /// The name recorded in the store, unique among the steps.
    public let name: String
    package let body: @Sendable (MigrationTransaction) throws -> Void

    /// Creates a step from a name and a body.
    ///
    /// The body works on the tables of the previous version. Their names and columns may differ from the entities, so a
    /// step names them by text, or uses SQL. References are not enforced while steps run, so a table can be replaced,
    /// and deleting a row does not cascade; they are checked at the end.
    public init(_ name: String, _ body: @escaping @Sendable (MigrationTransaction) throws -> Void = { _ in }) {
        self.name = name
        self.body = body
    }
}

/// The handle through which a migration changes a store.
///
/// In a step, the tables are those of the previous version; in `whenNew:`, they are as declared. The handle is valid
/// only in the body of its step; afterwards everything on it fails with `.transactionEnded`.
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
    /// Values are bound to its question marks, or interpolated; see `SQL`. For a `Decimal`, state the decimal
    /// places it is stored with: `Decimal(40).bound(scale: 2)`.
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
    /// Runs the step in the open transaction.
    func run(on tables: any StoreTables) throws(RepositoryError) {
        let session = Session(tables.connection, now: tables.now)
        let store = WriteTransaction(session, CancellationFlag(), author: nil)
        // Its prepared statements are of no use to later steps.
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
