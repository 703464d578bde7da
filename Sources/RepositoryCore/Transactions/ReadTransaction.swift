package import Foundation

/// A handle for reading inside one transaction, in which every read sees the same state of the store.
///
/// The body of `Repository.read(_:)`, of a live query, or of a write transaction receives a handle, which is valid only
/// in that body. Afterwards, every call on the handle fails with `.transactionEnded`. The handle has the endpoints of
/// the repository, but they run immediately and return values instead of signals.
///
/// ```swift
/// let report = repository.read { store in
///     (count: try store.count(Movie.self), gross: try store.fetch(Movie.all.sum(of: \.boxOffice)))
/// }
/// ```
public class ReadTransaction {
    package let session: Session
    package let cancellation: CancellationFlag
    /// The tables that the statements so far have read.
    private(set) final var tables: Set<String> = []
    /// The statement that was recorded last.
    private final var recorded: (any StoreStatement)?
    private final var isEnded = false

    /// Creates a transaction; if `time` is `nil`, the transaction reads its time from the clock.
    package init(_ session: Session, _ cancellation: CancellationFlag, at time: Date? = nil) {
        self.session = session
        self.cancellation = cancellation
        session.begin(at: time)
    }

    package func checkUsable() throws(RepositoryError) {
        if isEnded { throw .transactionEnded }
        if let reason = cancellation.reason { throw reason }
    }

    /// Gives the store an identity.
    ///
    /// A read transaction cannot do that, so this method fails.
    func makeIdentity() throws(RepositoryError) -> String {
        throw .readOnly(detail: "the store has no identity yet; request the first URL in a write transaction")
    }

    final func end() {
        isEnded = true
    }

    final func record(_ statement: any StoreStatement) {
        // Repeating one statement is the common case. Adding its tables again would only cost reference counting.
        if statement === recorded { return }
        recorded = statement
        if tables.isEmpty {
            tables = statement.access.read
        } else if !statement.access.read.isSubset(of: tables) {
            tables.formUnion(statement.access.read)
        }
    }

    /// Executes a statement that reads, and passes it to `body`, which steps through its rows.
    final func query<Output>(
        _ statement: any StoreStatement, _ body: (any StoreStatement) throws(RepositoryError) -> Output
    ) throws(RepositoryError) -> Output {
        record(statement)
        defer { statement.reset() }
        do {
            return try session.connection.attempt { () throws(RepositoryError) in try body(statement) }
        } catch {
            noteFailure(error)
            throw error
        }
    }

    /// Called when a statement that reads has failed.
    func noteFailure(_ error: RepositoryError) {}
}

extension ReadTransaction {
    /// Runs the body of the transaction, and ends the transaction; an error of the body becomes a `RepositoryError`.
    package func run<Output>(_ body: () throws -> Output) throws(RepositoryError) -> Output {
        defer { end() }
        do {
            let output = try body()
            try checkUsable()
            return output
        } catch {
            throw cancellation.reason ?? .thrown(error, isRolledBack: self is WriteTransaction)
        }
    }
}
