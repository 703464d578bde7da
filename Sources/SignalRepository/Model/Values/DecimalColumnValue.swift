public import Foundation

extension Decimal: ColumnValue {
    /// Stored as an integer: the number times ten to the power of the column's scale.
    @inlinable
    public static var storageClass: StorageClass { .integer }
    /// Scaled: see `ColumnOption.scale(_:)`.
    @inlinable
    public static var isScaled: Bool { true }

    /// Reads the number, exactly.
    @inlinable @inline(__always)
    public static func read(from cell: ColumnCell) throws -> Decimal {
        ScaledDecimal.decimal(try cell.integer(), scale: cell.scale)
    }

    /// Binds the number; one with more decimal places than the column, if that does not round, or out of range is a
    /// fault.
    @inlinable @inline(__always)
    public func write(to slot: ColumnSlot) throws {
        try slot.bind(integer: ScaledDecimal.integer(self, slot.places))
    }

    /// Returns the scaled integer, or the place between two of them.
    public func storedBound(scale: Int) -> StoredBound { ScaledDecimal.bound(of: self, scale: scale) }
}
