public import CSQLite

/// One parameter of a statement, to be given a value.
public struct ColumnSlot {
    @usableFromInline let statement: OpaquePointer
    @usableFromInline let index: Int32
    /// The number of decimal places of the column, for types that are stored scaled.
    public let scale: Int

    @inlinable @inline(__always)
    init(statement: OpaquePointer, index: Int32, scale: Int) {
        self.statement = statement
        self.index = index
        self.scale = scale
    }

    /// Binds NULL.
    @inlinable @inline(__always)
    public func bindNull() throws {
        try check(sqlite3_bind_null(statement, index))
    }

    /// Binds an integer.
    @inlinable @inline(__always)
    public func bind(integer value: Int64) throws {
        try check(sqlite3_bind_int64(statement, index, value))
    }

    /// Binds a floating-point number; NaN is a fault, because SQLite would store NULL.
    @inlinable @inline(__always)
    public func bind(real value: Double) throws {
        guard !value.isNaN else { throw ColumnFault.value("not a number (NaN) cannot be stored") }
        try check(sqlite3_bind_double(statement, index, value))
    }

    /// Binds a text with every byte of it, NUL included.
    @inlinable @inline(__always)
    public func bind(text value: String) throws {
        let code: Int32? = value.utf8.withContiguousStorageIfAvailable { utf8 in
            Self.bind(utf8, to: statement, index)
        }
        if let code { return try check(code) }
        var copy = value
        try check(copy.withUTF8 { utf8 in Self.bind(utf8, to: statement, index) })
    }

    /// Binds bytes; no bytes are an empty blob, not NULL.
    @inlinable @inline(__always)
    public func bind(bytes: UnsafeRawBufferPointer) throws {
        guard let count = Int32(exactly: bytes.count) else { throw ColumnFault.refused(SQLITE_TOOBIG) }
        guard let start = bytes.baseAddress, count > 0 else {
            return try check(sqlite3_bind_zeroblob(statement, index, 0))
        }
        try check(csqlite_bind_blob_copy(statement, index, start, count))
    }

    @inlinable @inline(__always)
    static func bind(_ utf8: UnsafeBufferPointer<UInt8>, to statement: OpaquePointer, _ index: Int32) -> Int32 {
        guard let count = Int32(exactly: utf8.count) else { return SQLITE_TOOBIG }
        guard let start = utf8.baseAddress else { return csqlite_bind_text_copy(statement, index, "", 0) }
        return start.withMemoryRebound(to: CChar.self, capacity: utf8.count) { characters in
            csqlite_bind_text_copy(statement, index, characters, count)
        }
    }

    @inlinable @inline(__always)
    func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw ColumnFault.refused(code) }
    }
}
