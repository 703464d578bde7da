import SignalRepository

/// What a server reported about a failure, by its fields: the text of the message is never read.
struct ServerFailure {
    /// The SQLSTATE.
    let code: String
    let message: String
    let table: String?
    let column: String?
    let constraint: String?

    /// The error; `reason` is that for which the work was stopped, if it was.
    func error(sql: String, reason: RepositoryError?) -> RepositoryError {
        let diagnosis = Diagnosis(engine: PostgresConnection.engine, code: code, message: message, sql: sql)
        switch code {
        case "23505", "23503", "23502", "23514", "23P01", "23000", "23001":
            return .constraint(kind: kind, columns: columns, diagnosis: diagnosis)
        case "P0001": return .constraint(kind: .trigger, columns: [], diagnosis: diagnosis)
        case "22003", "22012":
            return .overflow(
                entity: "statement", column: "expression", detail: "a number is out of range: \(diagnosis)")
        case "22021", "22P02", "22P05", "22P03", "22008":
            return .encoding(entity: "statement", column: "expression", detail: "\(diagnosis)")
        case "40001", "40P01", "55P03", "53300", "55006": return .busy(diagnosis)
        case "53100": return .full(diagnosis)
        case "53200": return .outOfMemory(diagnosis)
        case "25006", "42501": return .readOnly(detail: "\(diagnosis)")
        case "57014": return reason ?? .cancelled
        case "54000", "54001", "54011", "54023": return .tooBig(detail: "\(diagnosis)")
        case "XX001", "XX002": return .corrupt(diagnosis)
        default: break
        }
        switch code.prefix(2) {
        case "08", "57": return .io(diagnosis)
        case "42", "22", "0A", "2B", "3F", "34": return .misuse(detail: "\(diagnosis)")
        default: return .unexpected(diagnosis)
        }
    }

    private var kind: ConstraintKind {
        switch code {
        // PostgreSQL adds a number to the name where another table has had it.
        case "23505": constraint?.contains(/_pkey[0-9]*$/) == true ? .primaryKey : .unique
        case "23503", "23001": .foreignKey
        case "23502": .notNull
        case "23514": .check
        default: .other
        }
    }

    private var columns: [String] {
        guard let table else { return [] }
        if let column { return ["\(table).\(column)"] }
        // The library names what it makes by its columns: `unique_Film(title,studio)`.
        guard let constraint, constraint.hasSuffix(")"), let open = constraint.lastIndex(of: "(") else { return [] }
        return constraint[open...].dropFirst().dropLast().split(separator: ",").map { "\(table).\($0)" }
    }
}
