/// A step in the history of a store that cannot be inferred from the entities: a renamed table or column, values that
/// change their form.
///
/// ```swift
/// let repository = try SQLiteRepository(
///     .file("movies.sqlite"), entities: Movie.self,
///     migrations: [
///         Migration("gross becomes boxOffice") { store in
///             try store.execute("ALTER TABLE Movie RENAME COLUMN gross TO boxOffice")
///         },
///         Migration("studios have no spaces around them") { store in
///             try store.execute("UPDATE Movie SET studio = trim(studio)")
///         },
///     ])
/// ```
/// Opening a store for writing runs the steps that it has not seen, in the order of the list, then infers what is left
/// to do (new tables, columns and indexes, dropped columns), all of it in one transaction; a step that fails leaves the
/// file as it was. The store remembers the names of its steps, so each runs once, and a program that lacks one of them,
/// because it is older than the store, is refused with `.schemaMismatch` before it can drop what it does not know. So a
/// step stays in the list for good; one without a body is nothing but such a mark.
///
/// A new store is made as the entities are declared: it has seen every step and runs none.
public struct Migration: Sendable {
    /// The name that the store remembers; no two steps have the same.
    public let name: String
    let body: @Sendable (MigrationTransaction) throws -> Void

    /// Makes a step of a name and what it does.
    ///
    /// The tables are those of the version before: their names and columns may differ from what the entities declare
    /// now, so a step speaks SQL. References are not enforced while steps run, so that a table can be replaced and
    /// deleting a row deletes no other; they are checked at the end.
    public init(_ name: String, _ body: @escaping @Sendable (MigrationTransaction) throws -> Void = { _ in }) {
        self.name = name
        self.body = body
    }
}

/// What a migration works with: the tables as they are before the entities of this version are looked at.
///
/// It is valid in the body of its step only; afterwards everything on it fails with `.transactionEnded`.
public final class MigrationTransaction {
    private let store: WriteTransaction

    init(_ store: WriteTransaction) {
        self.store = store
    }

    /// Executes a statement, and returns the number of rows that it changed itself.
    ///
    /// The text is a literal of the program; values are bound to its question marks. A `Decimal` is bound with four
    /// decimal places, whatever its column has.
    /// - Failure: `.misuse` when the statement does not compile, has another number of parameters, or begins or ends a
    ///   transaction; what the statement fails with.
    @discardableResult
    public func execute(_ sql: StaticString, _ values: any ColumnValue...) throws(RepositoryError) -> Int {
        try store.execute(sql, values: values)
    }

    /// Executes a statement that reads, and returns its rows.
    ///
    /// - Failure: `.misuse` when the statement does not compile, has another number of parameters, or writes.
    public func rows(_ sql: StaticString, _ values: any ColumnValue...) throws(RepositoryError) -> [[SQLValue]] {
        try store.rows(SQLText(sql, values))
    }
}

extension Migration {
    /// Runs the step in the transaction that is open.
    func run(on connection: Connection) throws(RepositoryError) {
        let store = WriteTransaction(Session(connection), CancellationFlag(), author: nil)
        let result = outcome(of: { store in try body(MigrationTransaction(store)) }, with: store)
        do {
            try store.conclude(result).get()
        } catch {
            switch error {
            case .busy, .full, .readOnly, .corrupt, .io, .outOfMemory: throw error
            case .rolledBack(let error): throw .migrationFailed(step: name, by: error)
            default: throw .migrationFailed(step: name, by: error)
            }
        }
    }
}
