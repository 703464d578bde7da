/// Reading inside one transaction: every read sees the same state of the store.
///
/// A handle is given to the body of `Repository.read(_:)`, of a live query, or of a write transaction, and is valid in
/// that body only: afterwards everything on it fails with `.transactionEnded`. Its verbs are those of the repository,
/// but they work at once and return values instead of signals.
///
/// ```swift
/// let report = repository.read { store in
///     (count: try store.count(Movie.self), gross: try store.sum(of: \Movie.boxOffice))
/// }
/// ```
public class ReadTransaction {
    let session: Session
    let cancellation: CancellationFlag
    /// The tables that the statements so far have read.
    private(set) final var tables: Set<String> = []
    private final var isEnded = false

    init(_ session: Session, _ cancellation: CancellationFlag) {
        self.session = session
        self.cancellation = cancellation
    }

    /// Throws when the handle may not be used any more.
    func checkUsable() throws(RepositoryError) {
        if isEnded { throw .transactionEnded }
        if cancellation.isCancelled { throw .cancelled }
    }

    /// Gives the store an identity, which one that only reads cannot.
    func makeIdentity() throws(RepositoryError) -> String {
        throw .readOnly(detail: "the store has no identity yet; ask for the first URL in a transaction")
    }

    /// Ends the handle.
    final func end() {
        isEnded = true
    }

    /// Remembers that a statement is executed.
    final func record(_ statement: Statement) {
        if tables.isEmpty {
            tables = statement.access.read
        } else if !statement.access.read.isSubset(of: tables) {
            tables.formUnion(statement.access.read)
        }
    }

    /// Executes a statement that reads, and hands it to `body`, which steps it.
    final func query<Output>(
        _ statement: Statement, _ body: (Statement) throws(RepositoryError) -> Output
    ) throws(RepositoryError) -> Output {
        record(statement)
        defer { statement.reset() }
        return try body(statement)
    }
}

/// Runs a body with a handle that ends with it; whatever the body throws comes out typed.
func outcome<Handle: ReadTransaction, Output>(
    of body: (Handle) throws -> Output, with handle: Handle
) -> Result<Output, RepositoryError> {
    defer { handle.end() }
    do {
        let output = try body(handle)
        return handle.cancellation.isCancelled ? .failure(.cancelled) : .success(output)
    } catch {
        if handle.cancellation.isCancelled { return .failure(.cancelled) }
        return .failure(error as? RepositoryError ?? .rolledBack(by: error))
    }
}
