public import Foundation

/// The decimal places of a column, and how a number with more of them is rounded.
///
/// One word, because every value that is written passes it on, and few are decimals.
@usableFromInline
struct DecimalPlaces: Sendable {
    /// The scale in the low byte; above it the rounding mode and one, or zero where such a number is refused.
    @usableFromInline let bits: Int

    @inlinable @inline(__always)
    init(_ scale: Int) { bits = scale }

    init(_ scale: Int, rounding: Decimal.RoundingMode?) {
        bits = scale | (rounding.map { (Int($0.rawValue) + 1) << 8 } ?? 0)
    }

    /// The number of places; what is no scale at all is refused when the store is opened.
    @inlinable @inline(__always)
    var scale: Int { bits & 0xFF }

    /// How a number with more places is rounded; `nil` where it is refused.
    @inlinable
    var rounding: Decimal.RoundingMode? {
        bits >> 8 == 0 ? nil : Decimal.RoundingMode(rawValue: UInt(bitPattern: bits >> 8) &- 1)
    }
}
