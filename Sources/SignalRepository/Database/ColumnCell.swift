public import CSQLite

/// One value of the current row of a statement, readable while that row is current.
public struct ColumnCell {
    @usableFromInline let statement: OpaquePointer
    @usableFromInline let index: Int32
    /// The number of decimal places of the column, for types that are stored scaled.
    public let scale: Int

    @inlinable
    init(statement: OpaquePointer, index: Int32, scale: Int) {
        self.statement = statement
        self.index = index
        self.scale = scale
    }

    /// The storage class of the value as it was stored.
    @inlinable
    public var storageClass: StorageClass {
        StorageClass(rawValue: sqlite3_column_type(statement, index)) ?? .null
    }

    /// Whether the value is NULL.
    @inlinable
    public var isNull: Bool { sqlite3_column_type(statement, index) == SQLITE_NULL }

    /// The integer, or a fault when something else is stored.
    @inlinable
    public func integer() throws(ColumnFault) -> Int64 {
        guard sqlite3_column_type(statement, index) == SQLITE_INTEGER else { throw mismatch("an integer") }
        return sqlite3_column_int64(statement, index)
    }

    /// The floating-point number, or a fault when something else is stored.
    @inlinable
    public func real() throws(ColumnFault) -> Double {
        guard sqlite3_column_type(statement, index) == SQLITE_FLOAT else { throw mismatch("a number") }
        return sqlite3_column_double(statement, index)
    }

    /// The text with every byte that was stored, or a fault when it is not text or not Unicode.
    @inlinable
    public func text() throws(ColumnFault) -> String {
        guard sqlite3_column_type(statement, index) == SQLITE_TEXT, let start = sqlite3_column_text(statement, index)
        else { throw mismatch("text") }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ColumnFault.value("the text is not valid UTF-8")
        }
        return text
    }

    /// Gives `body` the bytes of a blob, valid inside it only, or a fault when something else is stored.
    @inlinable
    public func withBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws(ColumnFault) -> Result
    ) throws(ColumnFault) -> Result {
        guard sqlite3_column_type(statement, index) == SQLITE_BLOB else { throw mismatch("bytes") }
        let start = sqlite3_column_blob(statement, index)
        return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index))))
    }

    /// The fault that says what was expected and what is there.
    @usableFromInline @inline(never)
    func mismatch(_ expected: String) -> ColumnFault {
        .value("expected \(expected), found \(storageClass)")
    }
}
