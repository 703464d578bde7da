import CSQLite
import Foundation

/// The constraints and foreign keys of the schema, which provide the column names in an error about a violation.
///
/// They are outdated once the schema changes.
struct FailureNames {
    fileprivate var schemaVersion: Int64?
    fileprivate var constraints = ConstraintNames()
    fileprivate var references: References?
}

extension Connection {
    func failure(_ code: Int32, sql: String?) -> RepositoryError {
        failure(code, message, sql)
    }

    var message: String { sqlite3_errmsg(handle).map { String(cString: $0) } ?? "" }

    private func failure(_ code: Int32, _ message: String, _ sql: String?) -> RepositoryError {
        let result = ResultCode(rawValue: code)
        if result.primary == .error, let fault = schemaFault(message) {
            return .misuse(detail: "\(fault) (\(Diagnosis(result, message, sql: sql)))")
        }
        let error = RepositoryError.failure(result, message, sql: sql, path: path)
        guard case .misuse = error, isEmptied else { return error }
        return .corrupt(Diagnosis(.corrupt, "another program emptied the file while it was open", sql: sql))
    }

    /// Whether the file was emptied while it was open.
    ///
    /// SQLite then reports missing tables, not a missing file.
    private var isEmptied: Bool {
        var status = stat()
        return path != ":memory:" && stat(path, &status) == 0 && status.st_size == 0
    }

    /// Returns the error for a failed statement, with the columns of the constraint that it violated.
    ///
    /// Must be called only after the statement was reset, because this method executes other statements.
    func failure(_ code: Int32, _ message: String, _ statement: Statement) -> RepositoryError {
        if let thrown = monitor.thrown.take(), message == Self.functionFailed { return .bodyThrew(ThrownError(thrown)) }
        let error = failure(code, message, statement.sql)
        guard case .constraint(let kind, let known, _, _) = error, known.isEmpty else { return error }
        switch kind {
        case .check, .trigger: return error
        case .foreignKey:
            return error.naming { () throws(RepositoryError) in
                try withFailureNames { names throws(RepositoryError) in
                    try references(&names).only(of: statement.access.written)
                }
            }
        case .unique, .notNull, .primaryKey, .other:
            return error.naming { () throws(RepositoryError) in
                try withFailureNames { names throws(RepositoryError) in
                    names.constraints.columns(message, of: statement.access.written, in: self)
                }
            }
        }
    }

    func brokenReference(
        by values: (_ column: String) -> SQLValue?, in table: String
    ) throws(RepositoryError) -> [String]? {
        try withFailureNames { names throws(RepositoryError) in
            try references(&names).broken(by: values, in: table, self)
        }
    }

    func restrictingReference(
        _ rows: SQLText, of table: String, isDeletion: Bool
    ) throws(RepositoryError) -> [String]? {
        try withFailureNames { names throws(RepositoryError) in
            try references(&names).keeping(rows, of: table, isDeletion: isDeletion, self)
        }
    }

    /// Returns a commit's error with the columns of the violated foreign key; must be called before the rollback.
    func naming(_ error: RepositoryError) -> RepositoryError {
        error.namingReference { () throws(RepositoryError) in
            let rows = try rows("SELECT \"table\", fkid FROM pragma_foreign_key_check LIMIT 1")
            guard let row = rows.first, case .text(let table) = row[0], case .integer(let number) = row[1] else {
                return nil
            }
            let columns = try self.rows(
                "SELECT \"from\" FROM pragma_foreign_key_list(?) WHERE id = ? ORDER BY seq",
                [.text(table), .integer(number)])
            return columns.compactMap { row in if case .text(let name) = row[0] { "\(table).\(name)" } else { nil } }
        }
    }

    /// Returns an error that names the generated key if no number is left for the key, and otherwise the given error.
    ///
    /// If no number is left, SQLite reports SQLITE_FULL, as for a full disk.
    func naming(_ error: RepositoryError, of statement: any StoreStatement) -> RepositoryError {
        guard case .full(let diagnosis) = error else { return error }
        let tables = statement.access.written.filter { table in
            let given = try? rows("SELECT seq = ? FROM sqlite_sequence WHERE name = ?", [.integer(.max), .text(table)])
            return given?.first?.first == .integer(1)
        }
        guard let table = tables.min() else { return error }
        let key = try? rows("SELECT name FROM pragma_table_info(?) WHERE pk = 1", [.text(table)])
        guard case .text(let column)? = key?.first?.first else { return error }
        let message = "no number is left for \(table).\(column): the largest, \(Int64.max), was already used"
        return .constraint(
            kind: .primaryKey, columns: [column],
            diagnosis: Diagnosis(diagnosis.resultCode ?? .full, message, sql: statement.sql))
    }

    var diagnosisOfReference: Diagnosis { Diagnosis(.constraintForeignKey, "FOREIGN KEY constraint failed") }

    func diagnosis(ofTrigger message: String, _ statement: any StoreStatement) -> Diagnosis {
        Diagnosis(.constraintTrigger, message, sql: statement.sql)
    }

    private func references(_ names: inout FailureNames) throws(RepositoryError) -> References {
        if let known = names.references { return known }
        let read = try References(self)
        names.references = read
        return read
    }

    private func withFailureNames<Value>(
        _ body: (inout FailureNames) throws(RepositoryError) -> Value
    ) throws(RepositoryError) -> Value {
        let version = try schemaVersion()
        // `body` gets a copy, because a statement in `body` may fail, and its failure calls this method again.
        var names = failureNames
        if names.schemaVersion != version {
            names = FailureNames()
            names.schemaVersion = version
        }
        defer { failureNames = names }
        return try body(&names)
    }
}
