public import Foundation

/// A type whose column values are ordered, so that there is a least and a greatest value.
///
/// The store orders numbers and dates by value, text by its UTF-8 bytes, and a UUID by its bytes. An enum with raw
/// values only needs to declare the conformance.
public protocol OrderedValue: ColumnValue, Equatable where Plain: Equatable {}

/// A type whose column values can be summed.
public protocol NumericValue: OrderedValue {
    /// The type of a sum: `Int` for integers, `Double` for floating-point numbers, `Decimal` for `Decimal`.
    associatedtype Sum: Sendable & Equatable
    /// The type of an average: `Decimal` for `Decimal`, otherwise `Double`.
    associatedtype Average: Sendable & Equatable
    /// Converts an exact total to a sum; throws a fault if the sum type cannot hold it.
    static func sum(_ total: AggregateTotal) throws(ColumnFault) -> Sum
    /// Makes an average from an exact total and the number of its values, which is at least one.
    static func average(_ total: AggregateTotal, count: Int) -> Average
}

/// The total of a column's values, before it is converted to the type of a sum or an average.
public enum AggregateTotal: Sendable, Equatable {
    /// The exact total of integers; for `Decimal`, these are the values times ten to the power of the scale.
    case integer(Int128, scale: Int)
    /// The total of floating-point numbers.
    case real(Double)

    /// The total as a floating-point number, ignoring the scale.
    var double: Double {
        switch self {
        case .integer(let total, _): Double(total)
        case .real(let total): total
        }
    }

    /// The total as a `Decimal`, which is exact for integers.
    var decimal: Decimal {
        switch self {
        case .integer(let total, let scale):
            let magnitude = total.magnitude
            let high = Decimal(UInt64(truncatingIfNeeded: magnitude >> 64))
            let low = Decimal(UInt64(truncatingIfNeeded: magnitude))
            let digits = high == 0 ? low : high * Decimal(UInt64.max) + high + low
            guard digits != 0 else { return 0 }
            return Decimal(sign: total < 0 ? .minus : .plus, exponent: -scale, significand: digits)
        case .real(let total):
            return Decimal(total)
        }
    }
}

extension NumericValue where Self: FixedWidthInteger {
    /// Returns the exact sum; throws a fault if it is out of the range of `Int`.
    public static func sum(_ total: AggregateTotal) throws(ColumnFault) -> Int {
        guard case .integer(let number, _) = total, let sum = Int(exactly: number) else {
            throw ColumnFault.value("the sum \(total.decimal) is out of the range of Int")
        }
        return sum
    }

    /// Returns the exact sum divided by the count.
    public static func average(_ total: AggregateTotal, count: Int) -> Double { total.double / Double(count) }
}

extension NumericValue where Self: BinaryFloatingPoint {
    /// Returns the sum.
    public static func sum(_ total: AggregateTotal) throws(ColumnFault) -> Double { total.double }
    /// Returns the sum divided by the count.
    public static func average(_ total: AggregateTotal, count: Int) -> Double { total.double / Double(count) }
}

// Integers and `Double` conform to `ArithmeticValue`, which refines `NumericValue`.
extension Float: NumericValue {}
extension String: OrderedValue {}
extension Date: OrderedValue {}
extension UUID: OrderedValue {}

extension Decimal: NumericValue {
    /// Returns the exact sum.
    public static func sum(_ total: AggregateTotal) throws(ColumnFault) -> Decimal { total.decimal }
    /// Returns the exact sum divided by the count, to the 38 digits that a `Decimal` has.
    public static func average(_ total: AggregateTotal, count: Int) -> Decimal { total.decimal / Decimal(count) }
}

extension Optional: OrderedValue where Wrapped: OrderedValue {}

extension Optional: NumericValue where Wrapped: NumericValue {
    /// Converts the total of the non-nil values to a sum.
    public static func sum(_ total: AggregateTotal) throws(ColumnFault) -> Wrapped.Sum { try Wrapped.sum(total) }
    /// Makes the average of the non-nil values.
    public static func average(_ total: AggregateTotal, count: Int) -> Wrapped.Average {
        Wrapped.average(total, count: count)
    }
}
