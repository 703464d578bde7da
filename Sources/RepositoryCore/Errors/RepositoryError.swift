public import Signals

/// Everything that can go wrong in a repository.
///
/// The set is closed: a `switch` over it needs no `default`. Every case prints as a sentence that says what happened
/// and, if possible, what to do. `item` is the item that the error is about, if there is one.
public indirect enum RepositoryError: NoValueFailure, Hashable, Sendable {
    /// No item of `entity` has this id.
    case notFound(entity: String, id: String)
    /// A constraint rejected the change; the whole statement is undone.
    ///
    /// `columns` contains the columns of the constraint, if known, or the name of a check or of an expression's unique
    /// index.
    case constraint(
        kind: ConstraintKind, columns: [String], diagnosis: Diagnosis, item: FailedItem? = nil)
    /// Another writer has changed these items since they were read for a scratch pad, or since the commit to undo;
    /// nothing was stored.
    case conflict(items: [FailedItem])
    /// Another connection held a lock for longer than the timeout; the work can be tried again.
    case busy(Diagnosis)
    /// The disk is full, or the database has reached its own size limit; the change was rolled back.
    case full(Diagnosis)
    /// The file, its folder or the repository is read-only.
    case readOnly(detail: String)
    /// The file is damaged.
    case corrupt(Diagnosis)
    /// The file exists, but it is not a database, or it is encrypted and no key was given.
    case notADatabase(path: String)
    /// The file cannot be read with the given key: it has another key, is not encrypted, or is not a database.
    case wrongKey(path: String)
    /// The store cannot be opened.
    ///
    /// The folder is missing, the path is a folder, pipe or device, or permission is denied; a server does not answer
    /// or refuses; or the connection string is invalid.
    case cannotOpen(path: String, reason: String)
    /// The store's tables differ from the declared entities and cannot be migrated; nothing was written.
    case schemaMismatch(detail: String)
    /// A migration failed with this error; all migration steps of this opening were undone.
    case migrationFailed(step: String, by: ThrownError)
    /// The property's type cannot hold a stored value.
    case decoding(entity: String, column: String, detail: String, item: FailedItem? = nil)
    /// A result computed from the stored values, such as their sum, does not fit its type.
    case overflow(entity: String, column: String, detail: String)
    /// A value cannot be stored exactly.
    case encoding(entity: String, column: String, detail: String, item: FailedItem? = nil)
    /// The commit failed, and it is unknown whether the change is durable: read before writing again.
    case commitOutcomeUnknown(Diagnosis)
    /// The repository was closed.
    case closed
    /// The work was cancelled and undone; if the work was already committed, only the wait for it was cancelled.
    case cancelled
    /// The signal finished without the value that `value()` or `wait()` waited for.
    case noValue
    /// A transaction's handle was used after its body had ended.
    case transactionEnded
    /// A value or a statement is larger than its limit.
    case tooBig(detail: String, item: FailedItem? = nil)
    /// The file at `path` was deleted, replaced or moved while it was open; nothing was written.
    case fileMoved(path: String)
    /// Another process, or another repository in this process, writes to the file.
    case ownedElsewhere(path: String, detail: String)
    /// The system could not read or write the file, or the connection to the server failed.
    case io(Diagnosis)
    /// Memory ran out; the change was rolled back.
    case outOfMemory(Diagnosis)
    /// The engine failed with a code that no other case covers.
    case unexpected(Diagnosis)
    /// The call itself is invalid, such as a wrong declaration, or a statement that does not compile.
    case misuse(detail: String)
    /// A closure that only reads the store threw this error.
    case bodyThrew(ThrownError)
    /// The body of a transaction threw this error, and the transaction was rolled back.
    case rolledBack(by: ThrownError)
    /// The source of `insert(from:batch:)` failed with this error; only its first `stored` items remain stored.
    case sourceFailed(stored: Int, by: ThrownError)
}
