public import Foundation

extension Data: ColumnValue {
    /// Stored as bytes.
    @inlinable
    public static var storageClass: StorageClass { .blob }

    /// Reads the bytes.
    @inline(never)
    public static func read(from cell: ColumnCell) throws -> Data {
        try cell.withBytes { bytes in Data(bytes) }
    }

    /// Binds the bytes; empty data is an empty blob.
    @inline(never)
    public func write(to slot: ColumnSlot) throws {
        try withUnsafeBytes { bytes in try slot.bind(bytes: bytes) }
    }
}

extension UUID: ColumnValue {
    /// Stored as sixteen bytes.
    @inlinable
    public static var storageClass: StorageClass { .blob }

    /// Reads sixteen bytes, or throws for any other number.
    @inline(never)
    public static func read(from cell: ColumnCell) throws -> UUID {
        try cell.withBytes { bytes in
            guard bytes.count == 16 else { throw ColumnFault.value("a UUID has 16 bytes, found \(bytes.count)") }
            // Safe because a UUID is its sixteen bytes and nothing else. Making it from its parts takes twice as long.
            return bytes.loadUnaligned(as: UUID.self)
        }
    }

    /// Binds the sixteen bytes.
    @inline(never)
    public func write(to slot: ColumnSlot) throws {
        try withUnsafeBytes(of: uuid) { bytes in try slot.bind(bytes: bytes) }
    }
}
