/// A number of values that a sink is ready to receive.
///
/// Demand only ever adds up, and it saturates: `.unlimited` plus anything is `.unlimited`, and so is a sum that does
/// not fit.
///
/// ```swift
/// let demand = Demand.max(2) + .max(3)
/// print(demand == .max(5), demand + .unlimited == .unlimited)  // true true
/// ```
@frozen
public struct Demand: Sendable, Hashable, Comparable {
    /// The number of values; `Int.max` means "no limit".
    @usableFromInline let count: Int

    @inlinable
    init(count: Int) { self.count = count }

    /// No values: requesting it does nothing.
    @inlinable
    public static var none: Demand { Demand(count: 0) }

    /// As many values as there are.
    @inlinable
    public static var unlimited: Demand { Demand(count: .max) }

    /// Returns a demand of `count` values; a negative count is a programming error.
    @inlinable
    public static func max(_ count: Int) -> Demand {
        precondition(count >= 0, "Demand.max(_:) needs a count of zero or more.")
        return Demand(count: count)
    }

    /// Whether there is no limit.
    @inlinable
    public var isUnlimited: Bool { count == .max }

    /// The number of values, or nil when there is no limit.
    @inlinable
    public var limit: Int? { isUnlimited ? nil : count }

    /// Returns the saturated sum of two demands.
    @inlinable
    public static func + (left: Demand, right: Demand) -> Demand {
        let (sum, overflow) = left.count.addingReportingOverflow(right.count)
        return Demand(count: overflow ? .max : sum)
    }

    /// Adds a demand, saturating.
    @inlinable
    public static func += (left: inout Demand, right: Demand) { left = left + right }

    /// Subtracts a value that was delivered; unlimited demand stays so.
    @inlinable
    package mutating func subtractOne() {
        if !isUnlimited { self = .max(count - 1) }
    }

    /// Returns the saturated product of a demand and a factor.
    @inlinable
    public static func * (left: Demand, right: Int) -> Demand {
        precondition(right >= 0, "Demand can be multiplied by zero or more.")
        let (product, overflow) = left.count.multipliedReportingOverflow(by: right)
        return Demand(count: overflow || left.isUnlimited && right > 0 ? .max : product)
    }

    /// Orders demands by how many values they allow.
    @inlinable
    public static func < (left: Demand, right: Demand) -> Bool { left.count < right.count }
}

extension Demand: CustomStringConvertible {
    /// `unlimited`, or the number of values.
    public var description: String { isUnlimited ? "unlimited" : String(count) }
}
