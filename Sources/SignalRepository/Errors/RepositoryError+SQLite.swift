extension RepositoryError {
    /// The error for a failure that SQLite reported while it worked on the file at `path`.
    static func failure(_ diagnosis: SQLiteDiagnosis, path: String) -> RepositoryError {
        switch diagnosis.code {
        case .constraint:
            .constraint(kind: ConstraintKind(diagnosis), columns: columns(of: diagnosis), diagnosis: diagnosis)
        // After ten seconds of tries a reader of the log is told of the "protocol"; it is a lock like any other.
        case .busy, .locked, .lockingProtocol: .busy(diagnosis)
        case .full: .full(diagnosis)
        case .readOnly: .readOnly(detail: "\(path): \(diagnosis)")
        case .corrupt: .corrupt(diagnosis)
        case .notADatabase: .notADatabase(path: path)
        case .cannotOpen: .cannotOpen(path: path, reason: diagnosis.message)
        case .tooBig: .tooBig(detail: "\(diagnosis)")
        case .interrupted: .cancelled
        case .io: .io(diagnosis)
        case .outOfMemory: .outOfMemory(diagnosis)
        default: .misuse(detail: "\(diagnosis)")
        }
    }

    /// The columns that SQLite names after "failed:", without their table.
    private static func columns(of diagnosis: SQLiteDiagnosis) -> [String] {
        let marker = "constraint failed: "
        guard let range = diagnosis.message.firstRange(of: marker) else { return [] }
        return diagnosis.message[range.upperBound...].split(separator: ", ").map { name in
            String(name.split(separator: ".", maxSplits: 1).last ?? name)
        }
    }
}
