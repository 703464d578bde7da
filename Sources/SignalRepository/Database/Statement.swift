public import CSQLite

/// One prepared statement of a connection, used by one thread at a time.
@usableFromInline
final class Statement {
    @usableFromInline let pointer: OpaquePointer
    let sql: String
    /// The tables that the statement touches.
    let access: TableAccess
    private unowned let connection: Connection
    /// The number of decimal places of the entity's key, for a statement whose only parameter is a key.
    @usableFromInline var keyScale = 0

    /// Prepares `sql`, which must be one whole statement.
    init(_ sql: String, on connection: Connection, persistent: Bool) throws(RepositoryError) {
        guard let handle = connection.handle else { throw .closed }
        connection.monitor.access = TableAccess()
        defer { connection.monitor.access = nil }
        var text = sql
        let (code, pointer, rest) = text.withUTF8 { utf8 in Self.prepare(utf8, handle, persistent) }
        guard code == SQLITE_OK else { throw connection.failure(code, sql: sql) }
        guard let pointer else { throw .misuse(detail: "the statement is empty") }
        guard rest == 0 else {
            sqlite3_finalize(pointer)
            throw .misuse(detail: "there is text after the end of the statement: \(sql)")
        }
        self.pointer = pointer
        self.sql = sql
        self.connection = connection
        access = connection.declared(connection.monitor.access ?? TableAccess())
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

    /// The number of columns of a row.
    var columnCount: Int { Int(sqlite3_column_count(pointer)) }

    /// Goes to the next row; `false` at the end, where the statement is reset.
    @inlinable
    func step() throws(RepositoryError) -> Bool {
        let code = sqlite3_step(pointer)
        if code == SQLITE_ROW { return true }
        try finish(code)
        return false
    }

    @usableFromInline
    func finish(_ code: Int32) throws(RepositoryError) {
        // The message of a failure is the connection's until the reset.
        let error = code == SQLITE_DONE ? nil : connection.failure(code, sql: sql)
        sqlite3_reset(pointer)
        connection.monitor.capture?.journal.endStatement(isFailed: error != nil)
        if let error { throw error }
    }

    /// Steps a statement that gives no rows, and makes it ready for the next time.
    @inlinable
    func run() throws(RepositoryError) {
        while try step() {}
    }

    /// Makes the statement ready to be bound and stepped from its beginning.
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
            try value.write(to: ColumnSlot(statement: pointer, index: Int32(index), scale: 0))
        } catch {
            throw .encoding(error, entity: "statement", column: "parameter \(index)")
        }
    }

    /// Returns a value of the current row.
    func value(at index: Int) throws(RepositoryError) -> SQLValue {
        try read(index) { cell in try SQLValue(cell) }
    }

    /// Returns the values of the current row.
    func values() throws(RepositoryError) -> [SQLValue] {
        var values: [SQLValue] = []
        for index in 0..<columnCount { values.append(try value(at: index)) }
        return values
    }

    /// Returns a value of the current row as the type reads it; `scale` is that of the column it comes from.
    func value<Value: ColumnValue>(
        _ type: Value.Type, at index: Int, scale: Int = 0
    ) throws(RepositoryError) -> Value {
        try read(index, scale: scale) { cell in try Value.read(from: cell) }
    }

    private func read<Value>(
        _ index: Int, scale: Int = 0, _ body: (ColumnCell) throws -> Value
    ) throws(RepositoryError) -> Value {
        do {
            return try body(ColumnCell(statement: pointer, index: Int32(index), scale: scale))
        } catch {
            let name = sqlite3_column_name(pointer, Int32(index)).map { String(cString: $0) } ?? "\(index)"
            throw .decoding(entity: "result", column: name, detail: ColumnFault.sentence(error))
        }
    }
}

extension Statement {
    /// Binds the values of an item to the parameters 1 to the number of columns, in the order of the schema.
    func bind<Item: Entity>(_ item: Item, _ schema: Schema<Item>) throws(RepositoryError) {
        let pointer = pointer
        let outcome = withUnsafePointer(to: item) { item in
            Result { () throws(RepositoryError) in try schema.encode(item, pointer) }
        }
        try outcome.get()
    }

    /// Makes an item of the current row, whose columns are those of the schema in its order.
    func item<Item: Entity>(_ schema: Schema<Item>) throws(RepositoryError) -> Item {
        do {
            return try schema.decode(pointer)
        } catch {
            throw located(error, schema)
        }
    }

    /// Makes items of all rows that are left, and resets the statement.
    func items<Item: Entity>(_ schema: Schema<Item>) throws(RepositoryError) -> [Item] {
        var items: [Item] = []
        do {
            try schema.decodeAll(self, &items)
        } catch {
            throw located(error, schema)
        }
        return items
    }

    /// The error as one about the item of the current row, when it says that its values cannot be read.
    private func located<Item: Entity>(_ error: RepositoryError, _ schema: Schema<Item>) -> RepositoryError {
        guard case .decoding = error, let key = try? schema.key,
            let place = schema.columns.firstIndex(where: { $0.name == key.name })
        else { return error }
        let id = try? value(Item.ID.self, at: place, scale: key.scale ?? 0)
        return error.about(FailedItem(entity: Item.entityName, id: id.map { "\($0)" }))
    }
}

extension Statement {
    /// Binds and runs the statement once for each item.
    ///
    /// At a failure, `failed` is the place of the item in the array.
    func run<Item: Entity>(
        for items: [Item], _ schema: Schema<Item>, failed: inout Int
    ) throws(RepositoryError) {
        let (pointer, encode) = (pointer, schema.encode)
        var place = 0
        defer { failed = place }
        let outcome = items.withUnsafeBufferPointer { items in
            Result { () throws(RepositoryError) in
                guard var item = items.baseAddress else { return }
                while place < items.count {
                    try encode(item, pointer)
                    try run()
                    item += 1
                    place += 1
                }
            }
        }
        try outcome.get()
    }
}
