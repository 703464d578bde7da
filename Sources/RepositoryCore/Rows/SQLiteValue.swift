public import CSQLite

#if !OwnSQLite
    // Links the system's SQLite. With the package trait `OwnSQLite`, the program links its own SQLite instead.
    import CSystemSQLite
#endif

/// A value that SQLite holds: a column of a statement's current row, or an argument of a custom function.
///
/// SQLite calls such a value "unprotected": only one thread may use it. This holds because each connection belongs to
/// one queue.
@usableFromInline
package struct SQLiteValue {
    @usableFromInline let pointer: OpaquePointer?

    @inlinable @inline(__always)
    package init(_ pointer: OpaquePointer?) {
        self.pointer = pointer
    }

    @inlinable @inline(__always)
    init(of statement: OpaquePointer, column: Int32) {
        pointer = sqlite3_column_value(statement, column)
    }

    @inlinable @inline(__always)
    var storageClass: StorageClass { StorageClass(rawValue: sqlite3_value_type(pointer)) ?? .null }

    @inlinable @inline(__always)
    var isNull: Bool { sqlite3_value_type(pointer) == SQLITE_NULL }

    /// The integer; `nil` if the value has another storage class.
    @inlinable @inline(__always)
    var integer: Int64? { sqlite3_value_type(pointer) == SQLITE_INTEGER ? sqlite3_value_int64(pointer) : nil }

    /// The floating-point number; `nil` if the value has another storage class.
    @inlinable @inline(__always)
    var real: Double? { sqlite3_value_type(pointer) == SQLITE_FLOAT ? sqlite3_value_double(pointer) : nil }

    /// The bytes of a text; `nil` if the value has another storage class.
    var text: UnsafeBufferPointer<UInt8>? {
        guard sqlite3_value_type(pointer) == SQLITE_TEXT, let start = sqlite3_value_text(pointer) else { return nil }
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(pointer)))
    }

    /// The bytes of a blob; `nil` if the value has another storage class.
    @inlinable @inline(__always)
    package var bytes: UnsafeRawBufferPointer? {
        guard sqlite3_value_type(pointer) == SQLITE_BLOB else { return nil }
        return UnsafeRawBufferPointer(start: sqlite3_value_blob(pointer), count: Int(sqlite3_value_bytes(pointer)))
    }
}

@usableFromInline
struct SQLiteParameter {
    @usableFromInline let statement: OpaquePointer
    @usableFromInline let index: Int32

    /// Creates the parameter at an index, counted from 1.
    @inlinable @inline(__always)
    init(of statement: OpaquePointer, index: Int32) {
        (self.statement, self.index) = (statement, index)
    }

    @inlinable @inline(__always)
    func bindNull() throws { try check(sqlite3_bind_null(statement, index)) }

    @inlinable @inline(__always)
    func bind(integer value: Int64) throws { try check(sqlite3_bind_int64(statement, index, value)) }

    @inlinable @inline(__always)
    func bind(real value: Double) throws { try check(sqlite3_bind_double(statement, index, value)) }

    /// Binds every byte of a text, including NUL.
    @inline(__always)
    func bind(text: String) throws {
        let code = text.utf8.withContiguousStorageIfAvailable { utf8 in bind(utf8) }
        if let code { return try check(code) }
        var copy = text
        try check(copy.withUTF8 { utf8 in bind(utf8) })
    }

    /// Binds bytes; an empty buffer is an empty blob, not NULL.
    @inline(__always)
    func bind(bytes: UnsafeRawBufferPointer) throws {
        guard let count = Int32(exactly: bytes.count) else { throw ColumnFault.tooLong }
        guard let start = bytes.baseAddress, count > 0 else {
            return try check(sqlite3_bind_zeroblob(statement, index, 0))
        }
        try check(csqlite_bind_blob_copy(statement, index, start, count))
    }

    @inline(__always)
    private func bind(_ utf8: UnsafeBufferPointer<UInt8>) -> Int32 {
        guard let count = Int32(exactly: utf8.count) else { return SQLITE_TOOBIG }
        guard let start = utf8.baseAddress else { return csqlite_bind_text_copy(statement, index, "", 0) }
        return start.withMemoryRebound(to: CChar.self, capacity: utf8.count) { characters in
            csqlite_bind_text_copy(statement, index, characters, count)
        }
    }

    @inlinable @inline(__always)
    func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw Self.fault(code) }
    }

    @usableFromInline @inline(never)
    static func fault(_ code: Int32) -> ColumnFault {
        code == SQLITE_TOOBIG ? .tooLong : .value(ResultCode(rawValue: code).description)
    }
}
