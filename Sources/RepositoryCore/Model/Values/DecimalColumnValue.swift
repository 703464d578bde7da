public import Foundation

extension Decimal: ColumnValue {
    /// Stored as an integer: the number times ten to the power of the column's scale.
    @inlinable
    public static var storageClass: StorageClass { .integer }
    /// Always true; see `ColumnOption.scale(_:)`.
    @inlinable
    public static var isScaled: Bool { true }

    /// Reads the number, exactly.
    @inlinable @inline(__always)
    public static func read(from cell: ColumnCell) throws -> Decimal {
        ScaledDecimal.decimal(try cell.integer(), scale: cell.scale)
    }

    /// Binds the number; throws if it is out of range, or has too many decimal places for a column that does not round.
    @inlinable @inline(__always)
    public func write(to slot: ColumnSlot) throws {
        try slot.bind(integer: ScaledDecimal.integer(self, slot.places))
    }

    /// Returns the scaled integer, or a position between two scaled integers.
    public func storedBound(scale: Int) -> StoredBound { ScaledDecimal.bound(of: self, scale: scale) }
}
