public import CSQLite
import Foundation

/// A slot for one value of a row: a parameter of a statement, or a place in memory.
///
/// One encoder serves both.
public struct ColumnSlot {
    @usableFromInline let statement: OpaquePointer?
    /// The place in memory; `nil` if SQLite has the parameter.
    @usableFromInline let memory: UnsafeMutablePointer<SQLValue>?
    @usableFromInline let index: Int32
    @usableFromInline let places: DecimalPlaces
    /// The number of decimal places of the column, for types that are stored scaled.
    @inlinable @inline(__always)
    public var scale: Int { places.scale }

    /// The slot for the column `index`, counted from 1 as SQLite counts parameters.
    @inlinable @inline(__always)
    init(_ row: RowTarget, index: Int32, places: DecimalPlaces) {
        statement = row.statement
        memory = row.values.map { $0 + (Int(index) - 1) }
        self.index = index
        self.places = places
    }

    /// Binds NULL.
    @inlinable @inline(__always)
    public func bindNull() throws {
        guard let statement else { return store(.null) }
        try check(sqlite3_bind_null(statement, index))
    }

    /// Binds an integer.
    @inlinable @inline(__always)
    public func bind(integer value: Int64) throws {
        guard let statement else { return store(.integer(value)) }
        try check(sqlite3_bind_int64(statement, index, value))
    }

    /// Binds a floating-point number; NaN is a fault, because SQLite would store NULL.
    @inlinable @inline(__always)
    public func bind(real value: Double) throws {
        guard !value.isNaN else { throw ColumnFault.notANumber }
        guard let statement else { return store(.real(value)) }
        try check(sqlite3_bind_double(statement, index, value))
    }

    /// Binds a text, every byte of it, NUL included.
    @inline(never)
    public func bind(text value: String) throws {
        guard let statement else { return store(.text(value)) }
        let code: Int32? = value.utf8.withContiguousStorageIfAvailable { utf8 in
            Self.bind(utf8, to: statement, index)
        }
        if let code { return try check(code) }
        var copy = value
        try check(copy.withUTF8 { utf8 in Self.bind(utf8, to: statement, index) })
    }

    /// Binds bytes; no bytes are an empty blob, not NULL.
    @inline(never)
    public func bind(bytes: UnsafeRawBufferPointer) throws {
        guard let statement else { return store(.blob(Array(bytes))) }
        guard let count = Int32(exactly: bytes.count) else { throw ColumnFault.refused(SQLITE_TOOBIG) }
        guard let start = bytes.baseAddress, count > 0 else {
            return try check(sqlite3_bind_zeroblob(statement, index, 0))
        }
        try check(csqlite_bind_blob_copy(statement, index, start, count))
    }

    /// Binds a stored value.
    @usableFromInline @inline(never)
    func bind(_ value: SQLValue) throws {
        switch value {
        case .null: try bindNull()
        case .integer(let value): try bind(integer: value)
        case .real(let value): try bind(real: value)
        case .text(let value): try bind(text: value)
        case .blob(let value): try value.withUnsafeBytes { try bind(bytes: $0) }
        }
    }

    /// Writes the value to memory; out of line, because this form is not performance-critical.
    @usableFromInline @inline(never)
    func store(_ value: SQLValue) {
        memory?.pointee = value
    }

    @inline(__always)
    private static func bind(_ utf8: UnsafeBufferPointer<UInt8>, to statement: OpaquePointer, _ index: Int32) -> Int32 {
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
