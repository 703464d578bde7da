import Foundation

/// One value of a row, valid while the row is current.
///
/// The value is in the current row of an SQLite statement, or in an array. One decoder serves both sources. The value
/// of a statement is fetched only once.
///
/// Reading a number is inlined into the code of each entity. Reading text is a call, because the inlined code would be
/// long: with the call, twenty entities compile in half the time. The call costs little compared with copying the text.
public struct ColumnCell {
    @usableFromInline let value: SQLiteValue
    /// The address of a value in memory, an `SQLValue` or a server's `WireValue`; `nil` if SQLite holds the value.
    @usableFromInline let memory: MemoryAddress?
    /// The number of decimal places if values are stored scaled, or the number of components if they are vectors.
    public let scale: Int

    @inlinable @inline(__always)
    package init(_ row: RowSource, index: Int32, scale: Int) {
        if let statement = row.statement {
            value = SQLiteValue(of: statement, column: row.first &+ index)
            memory = nil
        } else {
            value = SQLiteValue(nil)
            memory = row.values.map { $0.advanced(by: Int(row.first &+ index)) }
        }
        self.scale = scale
    }

    /// Creates a cell for a value that SQLite passes to an SQL function of the library or the program.
    package init(_ value: SQLiteValue) {
        self.value = value
        memory = nil
        scale = 0
    }

    /// Creates a cell for a value in memory, which must stay in place while the cell is read.
    package init(_ memory: UnsafePointer<SQLValue>, scale: Int) {
        value = SQLiteValue(nil)
        self.memory = MemoryAddress(memory)
        self.scale = scale
    }

    /// The storage class of the value as it was stored.
    @inlinable @inline(__always)
    public var storageClass: StorageClass {
        if let memory { return Self.storageClass(memory) }
        return value.storageClass
    }

    /// Whether the value is NULL.
    @inlinable @inline(__always)
    public var isNull: Bool {
        if let memory { return Self.storageClass(memory) == .null }
        return value.isNull
    }

    /// The integer; throws a fault if something else is stored.
    @inlinable @inline(__always)
    public func integer() throws -> Int64 {
        if let memory { return try integer(memory) }
        guard let integer = value.integer else { throw mismatch("an integer") }
        return integer
    }

    /// The floating-point number; throws a fault if something else is stored.
    @inlinable @inline(__always)
    public func real() throws -> Double {
        if let memory { return try real(memory) }
        guard let real = value.real else { return try integerAsReal() }
        return real
    }

    /// Returns a stored integer as a floating-point number, because a column of another program's table may hold both.
    @usableFromInline @inline(never)
    func integerAsReal() throws -> Double {
        guard let integer = value.integer, let real = Double(exactly: integer) else { throw mismatch("a number") }
        return real
    }

    /// The text with every stored byte; throws a fault if the value is not text or not valid UTF-8.
    @inline(never)
    public func text() throws -> String {
        if let memory { return try text(memory) }
        guard let bytes = value.text else { throw mismatch("text") }
        return try Self.text(bytes)
    }

    /// Decodes UTF-8; throws a fault if the bytes are not valid UTF-8.
    @inlinable @inline(__always)
    package static func text(_ bytes: UnsafeBufferPointer<UInt8>) throws -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard isASCII(bytes) || holds(text, bytes) else { throw ColumnFault.value("the text is not valid UTF-8") }
        return text
    }

    /// Passes the bytes of a blob to `body`, which may use them only until it returns; throws a fault if the value is
    /// not a blob.
    @inlinable @inline(__always)
    public func withBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        if let memory { return try withBytes(memory, body) }
        guard let bytes = value.bytes else { throw mismatch("bytes") }
        return try body(bytes)
    }

    @usableFromInline @inline(never)
    func mismatch(_ expected: String) -> ColumnFault {
        .value("expected \(expected), found \(storageClass)")
    }
}

// Access to values in memory. It is not inlined, so that the inlined code for the row of a statement stays short.
extension ColumnCell {
    @usableFromInline @inline(never)
    static func storageClass(_ memory: MemoryAddress) -> StorageClass {
        memory.wire?.storageClass ?? memory.value.storageClass
    }

    @usableFromInline @inline(never)
    func integer(_ memory: MemoryAddress) throws -> Int64 {
        if let wire = memory.wire {
            guard let integer = wire.integer else { throw mismatch("an integer") }
            return integer
        }
        guard case .integer(let value) = memory.value else { throw mismatch("an integer") }
        return value
    }

    @usableFromInline @inline(never)
    func real(_ memory: MemoryAddress) throws -> Double {
        if let wire = memory.wire {
            if let real = wire.real { return real }
            guard let real = wire.integer.flatMap({ Double(exactly: $0) }) else { throw mismatch("a number") }
            return real
        }
        switch memory.value {
        case .real(let value): return value
        case .integer(let value):
            guard let real = Double(exactly: value) else { throw mismatch("a number") }
            return real
        default: throw mismatch("a number")
        }
    }

    @inline(never)
    private func text(_ memory: MemoryAddress) throws -> String {
        if let wire = memory.wire {
            guard wire.kind == .text else { throw mismatch("text") }
            return try Self.text(wire.bytes)
        }
        guard case .text(let value) = memory.value else { throw mismatch("text") }
        return value
    }

    @usableFromInline @inline(never)
    func withBytes<Result>(
        _ memory: MemoryAddress, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        if let wire = memory.wire {
            guard wire.kind == .blob else { throw mismatch("bytes") }
            return try body(UnsafeRawBufferPointer(wire.bytes))
        }
        guard case .blob(let value) = memory.value else { throw mismatch("bytes") }
        return try value.withUnsafeBytes(body)
    }
}

extension ColumnCell {
    @inlinable @inline(__always)
    static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let raw = UnsafeRawBufferPointer(bytes)
        var all: UInt64 = 0
        guard raw.count >= 8 else {
            for byte in raw { all |= UInt64(byte) }
            return all < 0x80
        }
        // Reads the last eight bytes at once. The loop may have read some of them already.
        let last = raw.count &- 8
        var offset = 0
        while offset < last {
            all |= raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            offset &+= 8
        }
        all |= raw.loadUnaligned(fromByteOffset: last, as: UInt64.self)
        return all & 0x8080_8080_8080_8080 == 0
    }

    /// Whether a string consists of exactly these bytes.
    ///
    /// It does not if decoding has repaired invalid UTF-8.
    @usableFromInline @inline(never)
    static func holds(_ text: String, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let isSame = text.utf8.withContiguousStorageIfAvailable { utf8 in
            guard utf8.count == bytes.count, let decoded = utf8.baseAddress, let stored = bytes.baseAddress else {
                return utf8.isEmpty && bytes.isEmpty
            }
            return memcmp(decoded, stored, bytes.count) == 0
        }
        return isSame ?? text.utf8.elementsEqual(bytes)
    }
}
