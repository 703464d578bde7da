public import Signals

/// Everything that can go wrong in a repository.
///
/// The set is closed: a `switch` over it needs no `default`. Every case prints as a sentence that says what happened
/// and, if possible, what to do. `item` is the item that the error is about, if there is one.
public indirect enum RepositoryError: NoValueFailure, Hashable, Sendable {
    /// No item of `entity` has this id.
    case notFound(entity: String, id: String)
    /// A constraint rejected the change; nothing of the statement is kept.
    ///
    /// `columns` are the declared columns, if known, or the name of a check or of a unique index of an expression.
    case constraint(
        kind: ConstraintKind, columns: [String], diagnosis: Diagnosis, item: FailedItem? = nil)
    /// These items have changed since a scratch pad read them, or since the commit to undo; nothing was stored.
    case conflict(items: [FailedItem])
    /// Another connection held a lock for longer than the timeout; the work can be tried again.
    case busy(Diagnosis)
    /// The disk, or the database's own limit, is full. The change was rolled back.
    case full(Diagnosis)
    /// The file, its folder or the repository is read-only.
    case readOnly(detail: String)
    /// The file is damaged.
    case corrupt(Diagnosis)
    /// The file exists, but is not a database, or is encrypted and no key was given.
    case notADatabase(path: String)
    /// The file cannot be read with the given key: it has another key, is not encrypted, or is not a database.
    case wrongKey(path: String)
    /// The store cannot be opened: a missing folder, a folder instead of a file, no permission, a pipe or device; a
    /// server that does not answer or refuses, an invalid connection string.
    case cannotOpen(path: String, reason: String)
    /// The store's tables differ from the declared entities and cannot be migrated; nothing was written.
    case schemaMismatch(detail: String)
    /// A migration failed with this error; no step of this opening is kept.
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
    /// The work was cancelled; nothing of it is kept, unless it was committed before the wait for it was cancelled.
    case cancelled
    /// The signal that `value()` waited for finished without a value.
    case noValue
    /// A transaction's handle was used after its body had ended.
    case transactionEnded
    /// A value or a statement is larger than its limit.
    case tooBig(detail: String, item: FailedItem? = nil)
    /// The file at `path` was deleted, replaced or moved while it was open; nothing was written.
    case fileMoved(path: String)
    /// Another process, or another repository in this process, writes to the file.
    case ownedElsewhere(path: String, detail: String)
    /// The system could not read or write the file.
    case io(Diagnosis)
    /// Memory ran out; the change was rolled back.
    case outOfMemory(Diagnosis)
    /// The engine failed with a code that no other case covers.
    case unexpected(Diagnosis)
    /// The call itself is invalid, such as a wrong declaration, or a statement that does not compile.
    case misuse(detail: String)
    /// A closure that only reads threw this error.
    case bodyThrew(ThrownError)
    /// The body of a transaction threw this error, and the transaction was rolled back.
    case rolledBack(by: ThrownError)
    /// The source of `insert(from:batch:)` failed with this error; only its first `stored` items stay stored.
    case sourceFailed(stored: Int, by: ThrownError)
}
