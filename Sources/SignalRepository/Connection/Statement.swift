import CSQLite

/// A prepared statement of a connection, used by one thread at a time.
final class Statement: StoreStatement {
    let pointer: OpaquePointer
    let sql: String
    /// The tables that the statement reads and writes; computed lazily, because only transactions need them.
    private(set) lazy var access = connection.declared(collected)
    private let collected: TableAccess
    var writtenByTriggers: Set<String> { collected.writtenByTriggers }
    private unowned let connection: Connection

    /// Prepares `sql`, which must be a single complete statement.
    init(_ sql: String, on connection: Connection, persistent: Bool) throws(RepositoryError) {
        guard let handle = connection.handle else { throw .closed }
        connection.monitor.access = TableAccess()
        defer { connection.monitor.access = nil }
        var text = sql
        let (code, pointer, rest) = connection.confinement.during {
            text.withUTF8 { utf8 in Self.prepare(utf8, handle, persistent) }
        }
        guard code == SQLITE_OK else {
            if let refusal = connection.monitor.access?.refusal { throw .misuse(detail: "\(refusal): \(sql.excerpt)") }
            throw connection.failure(code, sql: sql)
        }
        guard let pointer else { throw .misuse(detail: "the statement is empty") }
        guard rest == 0 else {
            sqlite3_finalize(pointer)
            throw .misuse(detail: "there is text after the end of the statement: \(sql.excerpt)")
        }
        self.pointer = pointer
        self.sql = sql
        self.connection = connection
        collected = connection.monitor.access ?? TableAccess()
    }

    deinit {
        sqlite3_finalize(pointer)
    }

    private static func prepare(
        _ utf8: UnsafeBufferPointer<UInt8>, _ handle: OpaquePointer, _ persistent: Bool
    ) -> (code: Int32, statement: OpaquePointer?, rest: Int) {
        guard let start = utf8.baseAddress, let count = Int32(exactly: utf8.count) else {
            return (SQLITE_TOOBIG, nil, 0)
        }
        return start.withMemoryRebound(to: CChar.self, capacity: utf8.count) { characters in
            var statement: OpaquePointer?
            var tail: UnsafePointer<CChar>?
            let flags = persistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
            let code = sqlite3_prepare_v3(handle, characters, count, flags, &statement, &tail)
            let end = tail.map { UnsafeRawPointer($0) - UnsafeRawPointer(characters) } ?? utf8.count
            let rest = utf8[end...].count { byte in byte != 0x20 && byte != 0x0A && byte != 0x3B }
            return (code, statement, rest)
        }
    }
}

extension Statement {
    var isReadOnly: Bool { sqlite3_stmt_readonly(pointer) != 0 }

    var parameterCount: Int { Int(sqlite3_bind_parameter_count(pointer)) }

    var columnNames: [String] {
        (0..<columnCount).map { index in
            sqlite3_column_name(pointer, Int32(index)).map { String(cString: $0) } ?? ""
        }
    }

    var columnCount: Int { Int(sqlite3_column_count(pointer)) }

    var row: RowSource { RowSource(statement: pointer) }

    var target: RowTarget { RowTarget(statement: pointer) }

    /// Binds the first `count` values of another statement's current row; that statement may be of any connection.
    func bind(rowOf other: Statement, count: Int) throws(RepositoryError) {
        for index in 0..<Int32(count) {
            let code = sqlite3_bind_value(pointer, index + 1, sqlite3_column_value(other.pointer, index))
            guard code == SQLITE_OK else { throw connection.failure(code, sql: sql) }
        }
    }

    func step() throws(RepositoryError) -> Bool {
        let code = connection.confinement.during { sqlite3_step(pointer) }
        if code == SQLITE_ROW { return true }
        try finish(code)
        return false
    }

    private func finish(_ code: Int32) throws(RepositoryError) {
        // The connection keeps the message of a failure only until the reset.
        let message = code == SQLITE_DONE ? nil : connection.message
        sqlite3_reset(pointer)
        connection.hooks?.statementEnded(isFailed: message != nil)
        if let message { throw connection.failure(code, message, self) }
    }

    func reset() {
        sqlite3_reset(pointer)
    }
}
