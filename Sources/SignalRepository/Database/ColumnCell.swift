public import CSQLite
import Foundation

/// One value of the current row of a statement, readable while that row is current.
///
/// The value is fetched from SQLite once. SQLite calls such a value "unprotected": one thread may read it, which holds
/// because a connection belongs to one queue.
public struct ColumnCell {
    @usableFromInline let value: OpaquePointer?
    /// The number of decimal places of the column, for types that are stored scaled.
    public let scale: Int

    @inlinable @inline(__always)
    init(statement: OpaquePointer, index: Int32, scale: Int) {
        value = sqlite3_column_value(statement, index)
        self.scale = scale
    }

    /// A value that does not come from a statement.
    init(_ value: OpaquePointer) {
        self.value = value
        scale = 0
    }

    /// The storage class of the value as it was stored.
    @inlinable @inline(__always)
    public var storageClass: StorageClass {
        StorageClass(rawValue: sqlite3_value_type(value)) ?? .null
    }

    /// Whether the value is NULL.
    @inlinable @inline(__always)
    public var isNull: Bool { sqlite3_value_type(value) == SQLITE_NULL }

    /// The integer, or a fault when something else is stored.
    @inlinable @inline(__always)
    public func integer() throws -> Int64 {
        guard sqlite3_value_type(value) == SQLITE_INTEGER else { throw mismatch("an integer") }
        return sqlite3_value_int64(value)
    }

    /// The floating-point number, or a fault when something else is stored.
    @inlinable @inline(__always)
    public func real() throws -> Double {
        guard sqlite3_value_type(value) == SQLITE_FLOAT else { throw mismatch("a number") }
        return sqlite3_value_double(value)
    }

    /// The text with every byte that was stored, or a fault when it is not text or not Unicode.
    @inlinable @inline(__always)
    public func text() throws -> String {
        guard sqlite3_value_type(value) == SQLITE_TEXT, let start = sqlite3_value_text(value) else {
            throw mismatch("text")
        }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
        let text = String(decoding: bytes, as: UTF8.self)
        guard Self.isASCII(bytes) || Self.holds(text, bytes) else {
            throw ColumnFault.value("the text is not valid UTF-8")
        }
        return text
    }

    /// Gives `body` the bytes of a blob, valid inside it only, or a fault when something else is stored.
    @inlinable @inline(__always)
    public func withBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        guard sqlite3_value_type(value) == SQLITE_BLOB else { throw mismatch("bytes") }
        let start = sqlite3_value_blob(value)
        return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
    }

    @inlinable @inline(__always)
    static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let raw = UnsafeRawBufferPointer(bytes)
        var place = 0
        var all: UInt64 = 0
        while place &+ 8 <= raw.count {
            all |= raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            place &+= 8
        }
        while place < raw.count {
            all |= UInt64(raw[place])
            place &+= 1
        }
        return all & 0x8080_8080_8080_8080 == 0
    }

    /// Whether a text is made of exactly these bytes: where they were not Unicode, it was mended and is not.
    @usableFromInline @inline(never)
    static func holds(_ text: String, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let isSame = text.utf8.withContiguousStorageIfAvailable { utf8 in
            guard utf8.count == bytes.count, let kept = utf8.baseAddress, let stored = bytes.baseAddress else {
                return utf8.isEmpty && bytes.isEmpty
            }
            return memcmp(kept, stored, bytes.count) == 0
        }
        return isSame ?? text.utf8.elementsEqual(bytes)
    }

    /// The fault that says what was expected and what is there.
    @usableFromInline @inline(never)
    func mismatch(_ expected: String) -> ColumnFault {
        .value("expected \(expected), found \(storageClass)")
    }
}
