extension ColumnValue where Self: FixedWidthInteger & Sendable {
    /// Stored as an integer.
    @inlinable
    public static var storageClass: StorageClass { .integer }

    /// Reads the integer, or throws if it is out of the type's range.
    @inlinable @inline(__always)
    public static func read(from cell: ColumnCell) throws -> Self {
        let stored = try cell.integer()
        guard let value = Self(exactly: stored) else {
            throw ColumnFault.outOfRange(stored, Self.self)
        }
        return value
    }

    /// Binds the integer, or throws if it is above `Int64.max`.
    @inlinable @inline(__always)
    public func write(to slot: ColumnSlot) throws {
        try slot.bind(integer: try stored())
    }

    @inlinable @inline(__always)
    func stored() throws -> Int64 {
        guard let value = Int64(exactly: self) else {
            throw ColumnFault.tooLarge(description)
        }
        return value
    }
}

extension Int: ColumnValue {}
extension Int8: ColumnValue {}
extension Int16: ColumnValue {}
extension Int32: ColumnValue {}
extension Int64: ColumnValue {}
extension UInt: ColumnValue {}
extension UInt8: ColumnValue {}
extension UInt16: ColumnValue {}
extension UInt32: ColumnValue {}
extension UInt64: ColumnValue {}

extension Bool: ColumnValue {
    /// Stored as an integer.
    @inlinable
    public static var storageClass: StorageClass { .integer }

    /// Reads 0 or 1, or throws for any other integer.
    @inlinable @inline(__always)
    public static func read(from cell: ColumnCell) throws -> Bool {
        switch try cell.integer() {
        case 0: return false
        case 1: return true
        case let stored: throw ColumnFault.notABool(stored)
        }
    }

    /// Binds 0 or 1.
    @inlinable @inline(__always)
    public func write(to slot: ColumnSlot) throws {
        try slot.bind(integer: self ? 1 : 0)
    }
}
