public import CSQLite

/// One prepared statement of a connection, used by one thread at a time.
@usableFromInline
final class Statement {
    @usableFromInline let pointer: OpaquePointer
    let sql: String
    /// The tables that the statement touches.
    ///
    /// Determined when it is first needed, which is never for a statement that no transaction executes.
    private(set) lazy var access = connection.declared(collected)
    private let collected: TableAccess
    /// The tables that triggers write when the statement does.
    var writtenByTriggers: Set<String> { collected.writtenByTriggers }
    private unowned let connection: Connection
    /// The number of decimal places of the entity's key, for a statement whose only parameter is a key.
    @usableFromInline var keyScale = 0

    /// Prepares `sql`, which must be a single complete statement.
    init(_ sql: String, on connection: Connection, persistent: Bool) throws(RepositoryError) {
        guard let handle = connection.handle else { throw .closed }
        connection.monitor.access = TableAccess()
        defer { connection.monitor.access = nil }
        var text = sql
        let (code, pointer, rest) = text.withUTF8 { utf8 in Self.prepare(utf8, handle, persistent) }
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
    /// Whether the statement leaves the database as it is.
    var isReadOnly: Bool { sqlite3_stmt_readonly(pointer) != 0 }

    /// The number of parameters.
    var parameterCount: Int { Int(sqlite3_bind_parameter_count(pointer)) }

    /// The names of the columns of a row.
    var columnNames: [String] {
        (0..<columnCount).map { place in
            sqlite3_column_name(pointer, Int32(place)).map { String(cString: $0) } ?? ""
        }
    }

    /// The number of columns of a row.
    var columnCount: Int { Int(sqlite3_column_count(pointer)) }

    /// Steps to the next row; `false` at the end, where the statement is reset.
    @inlinable
    func step() throws(RepositoryError) -> Bool {
        let code = sqlite3_step(pointer)
        if code == SQLITE_ROW { return true }
        try finish(code)
        return false
    }

    @usableFromInline
    func finish(_ code: Int32) throws(RepositoryError) {
        // The message of a failure is available on the connection until the reset.
        let message = code == SQLITE_DONE ? nil : connection.message
        sqlite3_reset(pointer)
        connection.hooks?.statementEnded(isFailed: message != nil)
        if let message { throw connection.failure(code, message, self) }
    }

    /// Steps a statement that returns no rows, and makes it ready for the next use.
    @inlinable
    func run() throws(RepositoryError) {
        while try step() {}
    }

    /// Resets the statement, ready to be bound and stepped from the beginning.
    @inlinable
    func reset() {
        sqlite3_reset(pointer)
    }

    /// Sets every parameter to NULL, which releases what was bound.
    func clear() {
        sqlite3_clear_bindings(pointer)
    }

    /// Binds values to the parameters from `first` on, counted from 1.
    func bind(_ values: [SQLValue], from first: Int = 1) throws(RepositoryError) {
        for (place, value) in values.enumerated() { try bind(value, at: first + place) }
    }

    /// Binds one value.
    func bind(_ value: SQLValue, at index: Int) throws(RepositoryError) {
        do {
            try value.write(
                to: ColumnSlot(RowTarget(statement: pointer), index: Int32(index), places: DecimalPlaces(0)))
        } catch {
            throw .encoding(error, entity: "statement", column: "parameter \(index)")
        }
    }

    /// Returns a value of the current row.
    func value(at index: Int) throws(RepositoryError) -> SQLValue {
        try read(index) { cell in try SQLValue(cell) }
    }

    /// Makes a value of each remaining row.
    func all<Value>(
        _ read: (Statement) throws(RepositoryError) -> Value
    ) throws(RepositoryError) -> [Value] {
        var values: [Value] = []
        while try step() { values.append(try read(self)) }
        return values
    }

    /// Returns the values of the current row.
    func values() throws(RepositoryError) -> [SQLValue] {
        var values: [SQLValue] = []
        for index in 0..<columnCount { values.append(try value(at: index)) }
        return values
    }

    /// Reads a value of the current row; a fault is reported with its column.
    func read<Value>(
        _ index: Int, scale: Int = 0, _ body: (ColumnCell) throws -> Value
    ) throws(RepositoryError) -> Value {
        do {
            return try body(ColumnCell(RowSource(statement: pointer), index: Int32(index), scale: scale))
        } catch {
            let name = sqlite3_column_name(pointer, Int32(index)).map { String(cString: $0) } ?? "\(index)"
            throw .decoding(entity: "result", column: name, detail: ColumnFault.sentence(error))
        }
    }
}
