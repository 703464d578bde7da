public import Foundation

extension Data: ColumnValue {
    /// Is bytes.
    @inlinable
    public static var storageClass: StorageClass { .blob }

    /// Reads the bytes.
    @inlinable
    public static func read(from cell: ColumnCell) throws(ColumnFault) -> Data {
        try cell.withBytes { bytes throws(ColumnFault) in Data(bytes) }
    }

    /// Binds the bytes; none are an empty blob.
    @inlinable
    public func write(to slot: ColumnSlot) throws(ColumnFault) {
        let result = withUnsafeBytes { bytes in
            Result { () throws(ColumnFault) in try slot.bind(bytes: bytes) }
        }
        try result.get()
    }

    /// Returns the bytes.
    @inlinable
    public func sqlValue(scale: Int) throws(ColumnFault) -> SQLValue {
        .blob(Array(self))
    }
}

extension UUID: ColumnValue {
    /// Is bytes: sixteen of them.
    @inlinable
    public static var storageClass: StorageClass { .blob }

    /// Reads sixteen bytes; any other number is a fault.
    @inlinable
    public static func read(from cell: ColumnCell) throws(ColumnFault) -> UUID {
        try cell.withBytes { bytes throws(ColumnFault) in
            guard bytes.count == 16 else { throw ColumnFault.value("a UUID has 16 bytes, found \(bytes.count)") }
            return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
        }
    }

    /// Binds the sixteen bytes.
    @inlinable
    public func write(to slot: ColumnSlot) throws(ColumnFault) {
        let bytes = uuid
        let result = withUnsafeBytes(of: bytes) { bytes in
            Result { () throws(ColumnFault) in try slot.bind(bytes: bytes) }
        }
        try result.get()
    }

    /// Returns the sixteen bytes.
    @inlinable
    public func sqlValue(scale: Int) throws(ColumnFault) -> SQLValue {
        .blob(withUnsafeBytes(of: uuid) { Array($0) })
    }
}
