import CSQLite
import Testing

/// A database as another program would make it, through the C interface alone.
final class RawDatabase {
    private var handle: OpaquePointer?

    init(_ path: String) throws {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        try #require(sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK)
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    /// Runs statements without looking at rows; waits while another connection, such as a live query's, holds a lock.
    func run(_ sql: String) throws {
        sqlite3_busy_timeout(handle, 60_000)
        defer { sqlite3_busy_timeout(handle, 0) }
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        let message = String(cString: sqlite3_errmsg(handle))
        try #require(code == SQLITE_OK, "\(message)")
    }

    /// Runs statements that may fail, for example because another connection holds a lock.
    func attempt(_ sql: String) -> Bool { sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK }

    /// The first value of the first row as text.
    func text(_ sql: String) throws -> String? {
        var statement: OpaquePointer?
        try #require(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK)
        defer { sqlite3_finalize(statement) }
        guard sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0) else { return nil }
        return String(cString: text)
    }

    /// Every row, its values as text with a bar between them, as the command line of SQLite prints them.
    func rows(_ sql: String) throws -> [String] {
        var statement: OpaquePointer?
        try #require(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
        defer { sqlite3_finalize(statement) }
        var rows: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            let values = (0..<sqlite3_column_count(statement)).map { index in
                sqlite3_column_text(statement, index).map { String(cString: $0) } ?? ""
            }
            rows.append(values.joined(separator: "|"))
        }
        return rows
    }

    /// Writes bytes over the beginning of a value, through a handle.
    func write(_ bytes: [UInt8], over column: String, of table: String, rowID: Int64) throws {
        var blob: OpaquePointer?
        try #require(sqlite3_blob_open(handle, "main", table, column, rowID, 1, &blob) == SQLITE_OK)
        let code = sqlite3_blob_write(blob, bytes, Int32(bytes.count), 0)
        try #require(sqlite3_blob_close(blob) == SQLITE_OK && code == SQLITE_OK)
    }

    func close() {
        sqlite3_close_v2(handle)
        handle = nil
    }
}
