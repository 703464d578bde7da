extension RepositoryError {
    static func failure(
        _ code: ResultCode, _ message: String, sql: String? = nil, path: String
    ) -> RepositoryError {
        // The message is "not an error" if SQLite fails before it records the failure on the connection.
        let message = message == "not an error" && code != .ok ? code.description : message
        let diagnosis = Diagnosis(code, message, sql: sql)
        return switch code {
        // SQLite reports a mismatch if a rowid is set to a value that is not an integer.
        case .constraint, .mismatch:
            .constraint(
                kind: ConstraintKind(code, message),
                columns: code == .constraintCheck ? check(of: diagnosis) : expressionIndex(of: diagnosis),
                diagnosis: diagnosis)
        // In WAL mode, a reader fails with a protocol error if it cannot take a lock for ten seconds.
        case .busy, .locked, .lockingProtocol: .busy(diagnosis)
        case .full: .full(diagnosis)
        case .readOnlyRecovery, .readOnlyRollback:
            .readOnly(
                detail: "\(path) has the journal of a program that was interrupted, which only a writer can apply: "
                    + "open it once for writing (\(diagnosis))")
        case .readOnly: .readOnly(detail: "\(path): \(diagnosis)")
        case .corrupt: .corrupt(diagnosis)
        case .notADatabase: .notADatabase(path: path)
        case .cannotOpen: .cannotOpen(path: path, reason: diagnosis.message)
        case .tooBig: .tooBig(detail: "\(diagnosis)")
        case .interrupted: .cancelled
        case .io: .io(diagnosis)
        case .outOfMemory: .outOfMemory(diagnosis)
        // For the following errors, SQLite has only the generic code, so the message decides.
        case .error where ["integer overflow", IntegerCheck.overflow].contains(diagnosis.message):
            .overflow(
                entity: "statement", column: "expression", detail: "a number is out of the range of Int: \(diagnosis)")
        case .error where diagnosis.message == IntegerCheck.notInteger:
            .decoding(
                entity: "statement", column: "expression",
                detail: "it is computed from a stored value that is not a whole number (\(diagnosis))")
        case .error where limits.contains { diagnosis.message.hasPrefix($0) }:
            .tooBig(detail: "the statement exceeds a limit of SQLite (\(diagnosis))")
        case .error where diagnosis.message == IntegerCheck.outOfRange:
            .encoding(entity: "statement", column: "expression", detail: "\(diagnosis)")
        case .error where diagnosis.message.hasPrefix(ValueCheck.mismatch):
            .decoding(
                entity: "statement", column: "expression",
                detail: String(diagnosis.message.dropFirst(ValueCheck.mismatch.count)))
        case .error where diagnosis.message.hasPrefix(ValueCheck.changed):
            .changedValue(in: diagnosis.message.dropFirst(ValueCheck.changed.count).split(separator: "\u{1F}"))
        case .error where diagnosis.message.hasPrefix(missingTable):
            .missing(table: String(diagnosis.message.dropFirst(missingTable.count)), diagnosis)
        case .error, .misuse, .range, .notAuthorized: .misuse(detail: "\(diagnosis)")
        default: .unexpected(diagnosis)
        }
    }

    private static func changedValue(in path: [Substring]) -> RepositoryError {
        .encoding(
            entity: path.first.map(String.init) ?? "statement", column: path.last.map(String.init) ?? "expression",
            detail: "the column would convert the text to a number")
    }

    private static let missingTable = "no such table: "
    /// The prefixes of SQLite's messages about statements that exceed a limit.
    private static let limits = [
        "parser stack overflow", "Expression tree is too large", "too many terms in ",
        "too many columns in result set", "too many arguments on function", "too many FROM clause terms", "at most ",
    ]

    /// Returns the declared name of a violated unique index on expressions; empty for other constraints.
    ///
    /// SQLite reports no columns for such an index.
    private static func expressionIndex(of diagnosis: Diagnosis) -> [String] {
        let start = "UNIQUE constraint failed: index 'unique_"
        guard diagnosis.message.hasPrefix(start), diagnosis.message.hasSuffix(")'"),
            let open = diagnosis.message.utf8.firstIndex(of: UInt8(ascii: "("))
        else { return [] }
        return [String(diagnosis.message.utf8[open...].dropFirst().dropLast(2)) ?? ""]
    }

    /// Returns the name or text of a violated check, which follows the first colon of the message.
    private static func check(of diagnosis: Diagnosis) -> [String] {
        let message = diagnosis.message.utf8
        guard let colon = message.firstIndex(of: UInt8(ascii: ":")) else { return [] }
        return [CheckShape.givenName(String(message[colon...].dropFirst(2)) ?? "")]
    }
}

extension ConstraintKind {
    init(_ code: ResultCode, _ message: String) {
        switch code {
        case _ where code.isRefusedByReference(message): self = .foreignKey
        case .constraintUnique: self = .unique
        case .constraintCheck: self = .check
        case .constraintTrigger: self = .trigger
        case .constraintNotNull: self = .notNull
        case .constraintPrimaryKey, .constraintRowID: self = .primaryKey
        default: self = .other
        }
    }
}

extension Diagnosis {
    /// SQLite's result code; `nil` if another engine failed.
    var resultCode: ResultCode? {
        engine == Self.sqlite ? Int32(code).map { ResultCode(rawValue: $0) } : nil
    }

    private static let sqlite = "SQLite"

    init(_ code: ResultCode, _ message: String, sql: String? = nil) {
        self.init(
            engine: Self.sqlite, code: "\(code.rawValue)", message: message, sql: sql,
            isRestriction: code.restricts(message))
    }
}
