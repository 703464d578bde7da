public import Foundation

/// The number of decimal places of a column, and the rounding mode for numbers with more places.
///
/// Both are packed into one machine word, because every written value carries them, even if it is not a decimal.
@usableFromInline
package struct DecimalPlaces: Sendable {
    /// The scale in the low byte.
    ///
    /// The bits above hold the rounding mode plus one, or zero to reject numbers with more places.
    @usableFromInline let bits: Int

    @inlinable @inline(__always)
    init(_ scale: Int) { bits = scale }

    init(_ scale: Int, rounding: Decimal.RoundingMode?) {
        bits = scale | (rounding.map { (Int($0.rawValue) + 1) << 8 } ?? 0)
    }

    /// The number of places; an invalid scale is rejected when the store is opened.
    @inlinable @inline(__always)
    var scale: Int { bits & 0xFF }

    /// The number of components that the vectors of a column have, instead of decimal places; 0 for any number.
    var dimensions: Int { bits }

    /// The rounding mode for a number with more places; `nil` to reject it.
    @inlinable
    var rounding: Decimal.RoundingMode? {
        bits >> 8 == 0 ? nil : Decimal.RoundingMode(rawValue: UInt(bitPattern: bits >> 8) &- 1)
    }
}
