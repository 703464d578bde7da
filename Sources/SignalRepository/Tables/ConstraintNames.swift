import CSQLite

/// Finds the columns of a violated constraint in SQLite's message.
///
/// SQLite names the columns only at the end of its message, as `Table.column, Table.other`. The message cannot be
/// parsed, because a name may contain any character. So the columns of each constraint are written as SQLite writes
/// them, and the longest such text that ends the message belongs to the violated constraint.
struct ConstraintNames {
    /// For each table, the columns of each constraint, and the text that ends SQLite's message about it.
    private var endings: [[UInt8]: [(ending: [UInt8], columns: [String])]] = [:]

    /// Returns the columns of the constraint that a message is about, or an empty array if it names no columns.
    mutating func columns(
        _ message: String, of tables: Set<String>, in connection: Connection
    ) -> [String] {
        let message = Array(message.utf8)
        var found: (ending: [UInt8], columns: [String]) = ([], [])
        for table in tables {
            let key = Identifier.key(table)
            // If a table's constraints cannot be read, the error names no columns, but is still reported.
            let known = endings[key] ?? (try? Self.read(table, connection)) ?? []
            endings[key] = known
            for candidate in known where candidate.ending.count > found.ending.count {
                guard message.count > candidate.ending.count,
                    message.suffix(candidate.ending.count) == candidate.ending[...],
                    message[message.count - candidate.ending.count - 1] == UInt8(ascii: " ")
                else { continue }
                found = candidate
            }
        }
        return found.columns
    }

    private static func read(
        _ table: String, _ connection: Connection
    ) throws(RepositoryError) -> [(ending: [UInt8], columns: [String])] {
        var sets =
            try connection.texts("SELECT name FROM pragma_table_xinfo(?)", [.text(table)]).map { [$0] } + [["rowid"]]
        let indexes = try connection.texts("SELECT name FROM pragma_index_list(?) WHERE \"unique\"", [.text(table)])
        for index in indexes {
            sets.append(try connection.texts("SELECT name FROM pragma_index_info(?)", [.text(index)]))
        }
        return sets.map { columns in (Array(columns.map { "\(table).\($0)" }.joined(separator: ", ").utf8), columns) }
    }
}

extension ResultCode {
    func isRefusedByReference(_ message: String) -> Bool {
        self == .constraintForeignKey || restricts(message)
    }

    /// Whether a `RESTRICT` foreign key rejected a change; SQLite reports this with the code of a trigger.
    func restricts(_ message: String) -> Bool {
        self == .constraintTrigger && message == Self.refusalByReference
    }

    /// SQLite's message for a deletion that a `RESTRICT` foreign key rejects, obtained by causing such an error.
    private static let refusalByReference: String = {
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        guard sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK else {
            return ""
        }
        let sql = """
            PRAGMA foreign_keys = ON; CREATE TABLE P (id INTEGER PRIMARY KEY); \
            CREATE TABLE C (p REFERENCES P ON DELETE RESTRICT); INSERT INTO P VALUES (1); INSERT INTO C VALUES (1); \
            DELETE FROM P
            """
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_CONSTRAINT else { return "" }
        return sqlite3_errmsg(handle).map { String(cString: $0) } ?? ""
    }()
}
