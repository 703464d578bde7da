public import Foundation

extension Decimal: ColumnValue {
    /// Is an integer: the number times ten to the power of the column's scale.
    @inlinable
    public static var storageClass: StorageClass { .integer }
    /// Is true: see `ColumnOption.scale(_:)`.
    @inlinable
    public static var isScaled: Bool { true }

    /// Reads the number, exactly.
    @inlinable @inline(__always)
    public static func read(from cell: ColumnCell) throws -> Decimal {
        ScaledDecimal.decimal(try cell.integer(), scale: cell.scale)
    }

    /// Binds the number; one that has more decimal places than the column, or is out of range, is a fault.
    @inlinable @inline(__always)
    public func write(to slot: ColumnSlot) throws {
        try slot.bind(integer: ScaledDecimal.integer(self, scale: slot.scale))
    }

    /// Returns the scaled integer.
    @inlinable
    public func sqlValue(scale: Int) throws -> SQLValue {
        .integer(try ScaledDecimal.integer(self, scale: scale))
    }
}
