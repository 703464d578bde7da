public import Foundation

extension RepositoryError: CustomStringConvertible {
    /// What happened, what can be done about it, and which item it is about.
    public var description: String {
        let about: String? = if case .notFound = self { nil } else { item.map { "It is about \($0)." } }
        return [sentence, recoverySuggestion, about].compactMap(\.self).joined(separator: " ")
    }

    private var sentence: String {
        switch self {
        case .notFound(let entity, let id):
            "No \(entity) has the id \(id)."
        case .constraint(let kind, let columns, let diagnosis, _):
            Self.sentence(kind, columns, diagnosis)
        case .conflict(let items):
            "Somebody else has changed \(items.map { "\($0)" }.joined(separator: ", ")), and nothing was stored."
        case .readOnly(let detail):
            "The store cannot be written: \(detail)."
        case .notADatabase(let path):
            "The file \(path) is not a database, or it is encrypted."
        case .wrongKey(let path):
            "The file \(path) cannot be read with this key."
        case .cannotOpen(let path, let reason):
            "The store \(path) cannot be opened: \(reason)."
        case .schemaMismatch(let detail):
            "The store does not fit the declared entities and was left as it is: \(detail)."
        case .migrationFailed(let step, let error):
            "The migration \"\(step)\" failed, and the store was left as it is: \(error)."
        case .decoding(let entity, let column, let detail, _):
            "The stored value of \(entity).\(column) cannot be read: \(detail)."
        case .overflow(let entity, let column, let detail):
            "The result over \(entity).\(column) cannot be given: \(detail)."
        case .encoding(let entity, let column, let detail, _):
            "The value for \(entity).\(column) cannot be stored: \(detail)."
        case .transactionEnded:
            "The transaction has ended; its handle is valid inside its body only."
        case .tooBig(let detail, _):
            "Something is too big to be stored: \(detail)."
        case .ownedElsewhere(let path, let detail):
            "The file \(path) is in use: \(detail)."
        case .fileMoved(let path):
            "The file \(path) was deleted, replaced or moved while it was open, and nothing was written."
        case .misuse(let detail):
            "The call is wrong: \(detail)."
        case .bodyThrew(let error):
            "The closure threw: \(error)."
        case .rolledBack(let error):
            "The transaction was rolled back, because its body threw: \(error)."
        case .sourceFailed(let stored, let error):
            "The source failed: \(error). \(Self.kept(stored))"
        case .closed:
            "The repository is closed."
        case .cancelled:
            "The work was cancelled."
        case .noValue:
            "The signal ended without a value."
        case .busy(let diagnosis), .full(let diagnosis), .corrupt(let diagnosis), .commitOutcomeUnknown(let diagnosis),
            .io(let diagnosis), .outOfMemory(let diagnosis), .unexpected(let diagnosis):
            "\(sentence(of: diagnosis.engine)) (\(diagnosis))."
        }
    }

    private func sentence(of engine: String) -> String {
        switch self {
        case .busy: "The store stayed locked by another connection"
        case .full: "The disk is full, and the change was rolled back"
        case .corrupt: "The file is damaged"
        case .commitOutcomeUnknown: "The commit failed and may or may not have reached the disk"
        case .outOfMemory: "Memory ran out, and the change was rolled back"
        case .unexpected: "\(engine) failed in a way that nothing here is made for"
        default: "The system could not read or write the file"
        }
    }

    private static func kept(_ count: Int) -> String {
        switch count {
        case 0: "Nothing of it was stored."
        case 1: "Its first item stays stored, and nothing after it is."
        default: "Its first \(count) items stay stored, and nothing after them is."
        }
    }

    private static func sentence(_ kind: ConstraintKind, _ columns: [String], _ diagnosis: Diagnosis) -> String {
        let names = columns.joined(separator: ", ")
        let what =
            switch kind {
            case .unique: "another item already has this value of \(names)"
            case .primaryKey: "an item with this key already exists (\(names))"
            case .foreignKey where diagnosis.isRestriction:
                "\(columns.isEmpty ? "another item" : names) still refers to it"
            case .foreignKey where columns.isEmpty: "a reference would point to no item"
            case .foreignKey: "the reference \(names) would point to no item"
            case .trigger: "a trigger does not let it pass"
            case .check: "the check \(names) does not hold"
            case .notNull: "\(names) must have a value"
            case .other: "a rule of the table does not hold"
            }
        return "The change was refused: \(what) (\(diagnosis))."
    }
}

extension RepositoryError: LocalizedError {
    /// The error in words, as it prints.
    public var errorDescription: String? { description }

    /// What can be done, in a sentence of the description; `nil` where that depends on the intent.
    public var recoverySuggestion: String? {
        switch self {
        case .busy: "Try again."
        case .full: "Free some space and try again."
        case .conflict: "Read them again, or save over them."
        case .corrupt: "Restore it from a copy."
        case .commitOutcomeUnknown: "Read what is stored before you write it again."
        case .ownedElsewhere: "Close that one, or open the file read-only."
        case .fileMoved: "Put it back, or close the repository and open it again."
        default: nil
        }
    }
}
