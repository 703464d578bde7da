public import Signals

/// Everything that can go wrong in a repository.
///
/// The set is closed: a `switch` over it needs no `default`. Every case prints as a sentence that says what happened
/// and, where something can be done, what. `item` gives the item it is about, if there is one.
public indirect enum RepositoryError: NoValueFailure, Hashable, Sendable {
    /// No item of `entity` has this id.
    case notFound(entity: String, id: String)
    /// A constraint rejected the change; nothing of the statement is kept. `columns` are as declared, where they are
    /// known; of a check, and of what is unique by an expression, they have the name.
    case constraint(
        kind: ConstraintKind, columns: [String], diagnosis: Diagnosis, item: FailedItem? = nil)
    /// These items are not any more as they were when a scratch pad's changes were made from them. Nothing was stored.
    case conflict(items: [FailedItem])
    /// Another connection held a lock for longer than the stated time. The work can be tried again.
    case busy(Diagnosis)
    /// The disk, or the database's own limit, is full. The change was rolled back.
    case full(Diagnosis)
    /// The file, its folder or the repository is read-only.
    case readOnly(detail: String)
    /// The file is damaged.
    case corrupt(Diagnosis)
    /// The file exists and is not a database.
    case notADatabase(path: String)
    /// The file cannot be read with the key that was given: it is another one's, or the file is not encrypted, or no
    /// database.
    case wrongKey(path: String)
    /// The store cannot be opened: a missing folder, a folder instead of a file, no permission, a pipe or device; a
    /// server that does not answer or refuses, a connection string that is not valid.
    case cannotOpen(path: String, reason: String)
    /// The file's tables are not those of the declared entities, and the difference cannot be migrated. Nothing was
    /// written.
    case schemaMismatch(detail: String)
    /// A migration failed with this error. Nothing of it, of earlier ones, or of what was inferred is kept.
    case migrationFailed(step: String, by: ThrownError)
    /// A stored value is not one that the property's type can hold.
    case decoding(entity: String, column: String, detail: String, item: FailedItem? = nil)
    /// A result computed from the stored values, such as their sum, does not fit its type.
    case overflow(entity: String, column: String, detail: String)
    /// A value cannot be stored exactly.
    case encoding(entity: String, column: String, detail: String, item: FailedItem? = nil)
    /// The commit failed in a way that leaves open whether the change is durable. Read before writing again.
    case commitOutcomeUnknown(Diagnosis)
    /// The repository was closed.
    case closed
    /// The work was cancelled. Nothing of it is kept, unless it was already committed when waiting for it was
    /// cancelled.
    case cancelled
    /// The signal that `value()` waited for finished without a value.
    case noValue
    /// A transaction's handle was used after its body had ended.
    case transactionEnded
    /// A value or a statement is larger than the stated limit.
    case tooBig(detail: String, item: FailedItem? = nil)
    /// The file at `path` was deleted, replaced or moved while it was open. Nothing was written.
    case fileMoved(path: String)
    /// Another process, or another repository in this process, writes to the file.
    case ownedElsewhere(path: String, detail: String)
    /// The system could not read or write the file.
    case io(Diagnosis)
    /// Memory ran out; the change was rolled back.
    case outOfMemory(Diagnosis)
    /// The engine failed with a code that no other case covers.
    case unexpected(Diagnosis)
    /// The call itself is wrong: a faulty declaration, a statement that does not compile, …
    case misuse(detail: String)
    /// A closure that only reads threw this error.
    case bodyThrew(ThrownError)
    /// The body of a transaction threw this error, and the transaction was rolled back.
    case rolledBack(by: ThrownError)
    /// The signal that `insert(from:batch:)` takes its items from failed with this error. As many of its first items as
    /// the number says stay stored; nothing after them is.
    case sourceFailed(stored: Int, by: ThrownError)
}
