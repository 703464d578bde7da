import CPostgres
import SignalRepository

extension PostgresConnection {
    func columns(of table: String) throws(RepositoryError) -> [(name: String, type: String, isOptional: Bool)] {
        var sql = SQLText(
            """
            SELECT a.attname, format_type(a.atttypid, a.atttypmod), NOT a.attnotnull FROM pg_attribute a \
            WHERE a.attrelid = to_regclass(
            """)
        sql.bind(.text(Identifier.quoted(table)))
        sql.append(") AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum")
        return try statement(sql).all { row throws(RepositoryError) in
            let values = try row.values()
            guard case .text(let name) = values[0], case .text(let type) = values[1] else { return ("", "", false) }
            return (name, type, values[2] == .integer(1))
        }
    }

    func hasConstraint(_ name: String, on table: String) throws(RepositoryError) -> Bool {
        var sql = SQLText("SELECT 1 FROM pg_constraint WHERE conname = ")
        sql.bind(.text(name))
        sql.append(" AND conrelid = to_regclass(")
        sql.bind(.text(Identifier.quoted(table)))
        sql.append(")")
        return try statement(sql).first { _ in true } ?? false
    }

    /// Whether there is a function with a name and types of parameters.
    func hasFunction(_ signature: String) throws(RepositoryError) -> Bool {
        var sql = SQLText("SELECT 1 WHERE to_regprocedure(")
        sql.bind(.text(signature))
        sql.append(") IS NOT NULL")
        return try statement(sql).first { _ in true } ?? false
    }

    /// What is noted with a column; `nil` where there is no such column.
    func comment(onColumn column: String, of table: String) throws(RepositoryError) -> String? {
        var sql = SQLText(
            """
            SELECT coalesce(col_description(attrelid, attnum), '') FROM pg_attribute WHERE attrelid = to_regclass(
            """)
        sql.bind(.text(Identifier.quoted(table)))
        sql.append(") AND NOT attisdropped AND attname = ")
        sql.bind(.text(column))
        return try statement(sql).first { row throws(RepositoryError) in
            if case .text(let comment) = try row.value(at: 0) { comment } else { "" }
        }
    }

    /// The tables of which was heard that they have changed since this was last asked.
    func notifiedTables() -> Set<String> {
        guard let handle = handle, PQconsumeInput(handle) != 0 else { return [] }
        var tables: Set<String> = []
        while let notification = PQnotifies(handle) {
            let table = String(cString: notification.pointee.extra)
            if table.hasPrefix(schema + ".") { tables.insert(String(table.dropFirst(schema.count + 1))) }
            PQfreemem(notification)
        }
        return tables
    }
}
