import RepositoryCore

/// A failure as the server reports it, in fields; the library never parses the text of the message.
struct ServerFailure {
    /// The SQLSTATE for a statement whose tables have changed since it was prepared.
    static let outdated = "0A000"

    /// The SQLSTATE.
    let code: String
    let message: String
    let table: String?
    let column: String?
    let constraint: String?
    /// The position of the failure in the statement, in Unicode scalars counted from 1.
    let position: Int?

    /// Returns the failure as a `RepositoryError`; `reason` says why the program stopped the work, if it did.
    func error(sql: String, reason: RepositoryError?) -> RepositoryError {
        let diagnosis = Diagnosis(
            engine: PostgresConnection.engine, code: code, message: message, sql: sql,
            isRestriction: kind == .foreignKey && isRestriction(sql))
        switch code {
        case "42P01":
            guard let table = missingTable(in: sql) else { break }
            return .missing(table: table, diagnosis)
        case "23505", "23503", "23502", "23514", "23P01", "23000", "23001":
            return .constraint(kind: kind, columns: columns, diagnosis: diagnosis)
        case "2200H": return .constraint(kind: .primaryKey, columns: [], diagnosis: diagnosis)
        case "P0001": return .constraint(kind: .trigger, columns: [], diagnosis: diagnosis)
        case "22003", "22012":
            return .overflow(
                entity: "statement", column: "expression", detail: "a number is out of range: \(diagnosis)")
        case "22021", "22P02", "22P05", "22P03", "22008":
            return .encoding(entity: "statement", column: "expression", detail: "\(diagnosis)")
        case "40001", "40P01", "55P03", "53300", "55006": return .busy(diagnosis)
        // The server has ended the connection, because a transaction lasted too long or was idle for too long.
        case "25P03", "25P04": return .io(diagnosis)
        case "53100": return .full(diagnosis)
        case "53200": return .outOfMemory(diagnosis)
        case "25006": return .readOnly(detail: "\(diagnosis)")
        case "42501":
            return isReading(sql)
                ? .cannotOpen(path: table ?? "PostgreSQL", reason: "the role may not read it: \(diagnosis)")
                : .readOnly(detail: "\(diagnosis)")
        // The program, a timeout of the server or an administrator has cancelled the statement.
        case "57014": return reason ?? .busy(diagnosis)
        case "42P05": return .io(sharedSession(sql))
        case "54000", "54001", "54011", "54023": return .tooBig(detail: "\(diagnosis)")
        case "XX001", "XX002": return .corrupt(diagnosis)
        default: break
        }
        switch code.prefix(2) {
        case "26": return .io(sharedSession(sql))
        case "08", "57": return .io(diagnosis)
        case "42", "22", "0A", "2B", "3F", "34": return .misuse(detail: "\(diagnosis)")
        default: return .unexpected(diagnosis)
        }
    }

    /// Returns the diagnosis for a statement name that is taken or missing in the server's session.
    ///
    /// A connection uses each name once, so a pooler must have given it another session.
    private func sharedSession(_ sql: String) -> Diagnosis {
        let advice =
            "a pooler in between gives each transaction another session: connect to the server itself, or use session "
            + "pooling: "
        return Diagnosis(engine: PostgresConnection.engine, code: code, message: advice + message, sql: sql)
    }

    /// Whether a statement only reads; advancing a sequence is a write.
    private func isReading(_ sql: String) -> Bool {
        let reading = ["SELECT", "WITH", "TABLE", "VALUES", "DECLARE", "FETCH", "EXPLAIN", "SHOW"]
        if sql.hasSuffix("IN ACCESS SHARE MODE") { return true }
        let words = sql.split { !$0.isLetter }.map { $0.uppercased() }
        let writing = ["INSERT", "UPDATE", "DELETE", "MERGE", "NEXTVAL", "SETVAL"]
        return words.first.map(reading.contains) ?? false && !words.contains(where: writing.contains)
    }

    /// Whether a foreign key was broken by a change of the referenced table.
    ///
    /// A change of the referring table fails with the same code. The server names the referring table in both cases.
    private func isRestriction(_ sql: String) -> Bool {
        let sql = sql.drop(while: \.isWhitespace)
        let rest = sql.dropFirst("UPDATE".count).drop(while: \.isWhitespace)
        switch sql.prefix("UPDATE".count).uppercased() {
        case "DELETE": return true
        case "UPDATE": return table.map { !rest.hasPrefix(Identifier.quoted($0)) } ?? false
        default: return false
        }
    }

    /// Returns the table name at the position of the failure, as the statement spells it.
    private func missingTable(in sql: String) -> String? {
        guard let position else { return nil }
        let rest = sql.unicodeScalars.dropFirst(position - 1)
        guard rest.first == "\"" else { return String(rest.prefix { $0.properties.isAlphabetic || $0 == "_" }) }
        return String(rest.dropFirst().prefix { $0 != "\"" })
    }

    /// Whether the constraint's name is one that the library or PostgreSQL gives to a primary key.
    ///
    /// PostgreSQL appends a number if the name is already taken.
    private var isKey: Bool {
        constraint.map { $0.hasPrefix("key_") || $0.contains(/_pkey[0-9]*$/) } ?? false
    }

    /// The table whose key was already taken; `nil` for any other failure.
    var takenKey: String? { code == "23505" && isKey ? table : nil }

    private var kind: ConstraintKind {
        switch code {
        case "23505": isKey ? .primaryKey : .unique
        case "23503", "23001": .foreignKey
        case "23502": .notNull
        case "23514": .check
        default: .other
        }
    }

    private var columns: [String] {
        guard let table else { return [] }
        if kind == .check, let constraint, CheckShape.isManaged(constraint) {
            return [CheckShape.givenName(constraint)]
        }
        let columns = column.map { [$0] } ?? constrained
        // The foreign key may belong to a different table than the changed one, so its columns are qualified.
        return kind == .foreignKey ? columns.map { "\(table).\($0)" } : columns
    }

    /// The columns listed in the constraint's name, if the library composed that name: `unique_Film(title,studio)`.
    private var constrained: [String] {
        guard let constraint, constraint.hasSuffix(")"), let open = constraint.lastIndex(of: "(") else { return [] }
        return constraint[open...].dropFirst().dropLast().split(separator: ",").map { String($0) }
    }
}

extension ServerFailure {
    /// A foreign key, identified by its table and its columns.
    struct Reference {
        let table: String
        let columns: [String]

        /// Returns the columns for an error about `table`; if the foreign key belongs to a different table, they are
        /// qualified.
        func names(for table: String) -> [String] {
            table == self.table ? columns : columns.map { "\(self.table).\($0)" }
        }
    }

    /// The foreign key that rejected a change of the referring or the referenced table; `nil` if it is unknown.
    var reference: Reference? {
        guard kind == .foreignKey, let table, !constrained.isEmpty else { return nil }
        return Reference(table: table, columns: constrained)
    }
}

extension RepositoryError {
    /// The error, reported as a lost connection if the server could not be reached.
    var asLost: RepositoryError {
        guard case .cannotOpen(let path, let reason) = self else { return self }
        return .io(Diagnosis(engine: PostgresConnection.engine, code: "08001", message: "\(path): \(reason)"))
    }

    /// Whether the connection was lost or could not be restored; a later attempt may succeed.
    var isLost: Bool {
        guard case .io(let diagnosis) = self, diagnosis.engine == PostgresConnection.engine else { return false }
        return ["08", "57", "25"].contains(diagnosis.code.prefix(2))
    }
}
