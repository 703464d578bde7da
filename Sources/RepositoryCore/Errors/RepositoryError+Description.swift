extension RepositoryError: CustomStringConvertible {
    /// The summary, the reason, the engine's code and statement, what to do, and the item.
    ///
    /// This text is meant for developers and logs; `summary` is meant for users.
    public var description: String {
        let about: String? = if case .notFound = self { nil } else { item.map { "It is about \($0)".sentence } }
        return [fullText.sentence, recoverySuggestion, about].compactMap(\.self).joined(separator: " ")
    }

    /// The error as a part of another sentence: it begins in lower case, and has no period and no advice.
    package var clause: String {
        if case .misuse(let detail) = self { return detail.withoutStop }
        let about: String? = if case .notFound = self { nil } else { item.map { ", about \($0)" } }
        return fullText.prefix(1).lowercased() + fullText.dropFirst() + (about ?? "")
    }

    private var fullText: String {
        let wording = wording
        let detail = wording.detail?.withoutStop ?? ""
        let source = wording.source.map { " (\($0))" } ?? ""
        return wording.summary + (detail.isEmpty ? "" : ": \(detail)") + source
    }

    var wording: ErrorWording {
        switch self {
        case .notFound(let entity, let id):
            ErrorWording("No \(entity) has the id \(id)")
        case .constraint(let kind, let columns, let diagnosis, _):
            ErrorWording(refusing: kind, columns, diagnosis)
        case .conflict(let items):
            ErrorWording(
                "Somebody else has changed \(items.map { "\($0)" }.joined(separator: ", ")), and nothing was stored")
        case .readOnly(let detail):
            ErrorWording("The store cannot be written", detail)
        case .notADatabase(let path):
            ErrorWording("The file is not a database, or it is encrypted", source: path)
        case .wrongKey(let path):
            ErrorWording("The file cannot be read with this key", source: path)
        case .cannotOpen(let path, let reason):
            ErrorWording("The store cannot be opened", reason, source: path)
        case .schemaMismatch(let detail):
            ErrorWording("The store does not fit the declared entities and was left as it is", detail)
        case .migrationFailed(let step, let error):
            ErrorWording("A migration failed, and the store was left as it is", "\"\(step)\": \(error.clause)")
        case .decoding(let entity, let column, let detail, _):
            ErrorWording("The stored value of", entity, column, or: "A stored value", "cannot be read", detail)
        case .overflow(let entity, let column, let detail):
            ErrorWording("The result for", entity, column, or: "A result", "cannot be represented", detail)
        case .encoding(let entity, let column, let detail, _):
            ErrorWording("The value for", entity, column, or: "A value", "cannot be stored", detail)
        case .transactionEnded:
            ErrorWording("The transaction has ended; its handle is valid only inside its body")
        case .tooBig(let detail, _):
            ErrorWording("A value or a statement is too big", detail)
        case .ownedElsewhere(let path, let detail):
            ErrorWording("The file is in use", detail, source: path)
        case .fileMoved(let path):
            ErrorWording(
                "The file was deleted, replaced or moved while it was open, and nothing was written", source: path)
        case .misuse(let detail):
            ErrorWording("The program made an invalid call", detail)
        case .bodyThrew(let error):
            ErrorWording("The program's closure threw an error", error.clause)
        case .rolledBack(let error):
            ErrorWording("The transaction was rolled back, because its body threw an error", error.clause)
        case .sourceFailed(let stored, let error):
            ErrorWording("The source failed, and \(Self.storedItems(stored))", error.clause)
        case .closed:
            ErrorWording("The repository is closed")
        case .cancelled:
            ErrorWording("The work was cancelled")
        case .noValue:
            ErrorWording("The signal ended without a value")
        case .busy(let diagnosis), .full(let diagnosis), .corrupt(let diagnosis), .commitOutcomeUnknown(let diagnosis),
            .io(let diagnosis), .outOfMemory(let diagnosis), .unexpected(let diagnosis):
            ErrorWording(failure(of: diagnosis.engine), source: "\(diagnosis)")
        }
    }

    private func failure(of engine: String) -> String {
        switch self {
        // SQLSTATE 57014: a timeout of the server, or its administrator, has cancelled the query.
        case .busy(let diagnosis) where diagnosis.code == "57014": "The server stopped the work"
        case .busy: "The store stayed locked by another connection"
        case .full: "The disk is full, and the change was rolled back"
        case .corrupt: "The store is damaged"
        case .commitOutcomeUnknown: "The commit failed and may or may not have reached the disk"
        case .outOfMemory: "Memory ran out, and the change was rolled back"
        case .unexpected: "The store failed for an unknown reason"
        default:
            engine == "SQLite"
                ? "The system could not read or write the file" : "The connection to the server failed"
        }
    }

    private static func storedItems(_ count: Int) -> String {
        switch count {
        case 0: "nothing of it was stored"
        case 1: "its first item stays stored"
        default: "its first \(count) items stay stored"
        }
    }
}

extension ThrownError {
    package var clause: String { (error as? RepositoryError)?.clause ?? description.withoutStop }
}
