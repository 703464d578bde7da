public import Foundation

extension ColumnValue where Self == Double {
    /// Returns `.exact` with a number, or `.unordered` for NaN.
    static func bound(of value: Double) -> StoredBound { value.isNaN ? .unordered : .exact(.real(value)) }
}

extension Double: ColumnValue {
    /// Stored as a floating-point number.
    @inlinable
    public static var storageClass: StorageClass { .real }

    /// Reads the number, bit for bit except for the sign of zero.
    @inlinable @inline(__always)
    public static func read(from cell: ColumnCell) throws -> Double {
        try cell.real()
    }

    /// Binds the number, or throws for NaN.
    @inlinable @inline(__always)
    public func write(to slot: ColumnSlot) throws {
        try slot.bind(real: self)
    }

    /// Returns `.exact` with the number, or `.unordered` for NaN.
    public func storedBound(scale: Int) -> StoredBound { Double.bound(of: self) }
}

extension Float: ColumnValue {
    /// Stored as a floating-point number.
    @inlinable
    public static var storageClass: StorageClass { .real }

    /// Reads the number, or throws if a `Float` cannot hold it exactly.
    @inlinable @inline(__always)
    public static func read(from cell: ColumnCell) throws -> Float {
        let stored = try cell.real()
        guard let value = Float(exactly: stored) else {
            throw ColumnFault.value("a Float cannot hold \(stored) exactly")
        }
        return value
    }

    /// Binds the number, or throws for NaN.
    @inlinable @inline(__always)
    public func write(to slot: ColumnSlot) throws {
        try slot.bind(real: Double(self))
    }

    /// Returns `.exact` with the number, or `.unordered` for NaN.
    public func storedBound(scale: Int) -> StoredBound { Double.bound(of: Double(self)) }
}

extension Date: ColumnValue {
    /// Stored as a floating-point number: the seconds since the reference date, which is what `Date` holds.
    @inlinable
    public static var storageClass: StorageClass { .real }

    /// Reads the date, bit for bit.
    @inlinable @inline(__always)
    public static func read(from cell: ColumnCell) throws -> Date {
        Date(timeIntervalSinceReferenceDate: try cell.real())
    }

    /// Binds the date, or throws if it is NaN.
    @inlinable @inline(__always)
    public func write(to slot: ColumnSlot) throws {
        try slot.bind(real: timeIntervalSinceReferenceDate)
    }

    /// Returns `.exact` with the number, or `.unordered` for NaN.
    public func storedBound(scale: Int) -> StoredBound { Double.bound(of: timeIntervalSinceReferenceDate) }
}
