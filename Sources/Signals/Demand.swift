/// A number of values that a sink is ready to receive.
///
/// The requests of a sink add up, and the sum saturates: if it contains `.unlimited` or overflows, it is `.unlimited`.
///
/// ```swift
/// let demand = Demand.max(2) + .max(3)
/// print(demand == .max(5), demand + .unlimited == .unlimited)  // true true
/// ```
@frozen
public struct Demand: Sendable, Hashable, Comparable {
    /// The number of values, plus the bit `openMark` if the demand is open (`opened`); `Int.max` means "no limit".
    @usableFromInline let count: Int

    /// The bit that marks open demand.
    ///
    /// In practice, sums of counts do not reach it, because `max(_:)` makes a large count unlimited.
    @usableFromInline static var openMark: Int { 1 << 62 }

    @inlinable
    init(count: Int) { self.count = count }

    /// The demand for no values; requesting it does nothing.
    @inlinable
    public static var none: Demand { Demand(count: 0) }

    /// The demand for all values, without a limit.
    @inlinable
    public static var unlimited: Demand { Demand(count: .max) }

    /// Returns a demand of `count` values.
    ///
    /// `count` must not be negative; from 2^40 on (about a trillion), the demand is unlimited.
    @inlinable
    public static func max(_ count: Int) -> Demand {
        precondition(count >= 0, "Demand.max(_:) needs a count of zero or more.")
        return Demand(count: count < 1 << 40 ? count : .max)
    }

    /// The open form of the demand, which limits only a source that can wait, such as a sequence.
    ///
    /// Sinks that end their runs by themselves, such as the sink of `prefix`, and shared signals make open requests. If
    /// a `filter` after `receive(on:)` drops a value, its request for another value reaches the source only after a
    /// turn of the scheduler. Without open demand, values that a hot source sends until then would be lost. A source
    /// that makes its values on request makes at most `needed` values.
    @inlinable
    package var opened: Demand { isOpen ? self : Demand(count: count | Self.openMark) }

    /// Whether a source that cannot wait may deliver more than `needed`.
    @inlinable
    package var isOpen: Bool { count >= Self.openMark }

    /// The demand that limits a source that can wait: the demand without the mark of open demand.
    @inlinable
    package var needed: Demand { isOpen && !isUnlimited ? Demand(count: count - Self.openMark) : self }

    /// Whether there is no limit.
    @inlinable
    public var isUnlimited: Bool { count == .max }

    /// The number of values, or nil when there is no limit.
    ///
    /// A sink that ends its run by itself, such as the sink of `prefix`, also takes values beyond this number from a
    /// source that cannot wait.
    @inlinable
    public var limit: Int? { isUnlimited ? nil : needed.count }

    /// Returns the saturated sum of two demands.
    @inlinable
    public static func + (left: Demand, right: Demand) -> Demand {
        let (sum, overflow) = left.count.addingReportingOverflow(right.count)
        return Demand(count: overflow ? .max : sum)
    }

    /// Adds a demand, saturating.
    @inlinable
    public static func += (left: inout Demand, right: Demand) { left = left + right }

    /// Subtracts one delivered value; unlimited demand stays unlimited.
    @inlinable
    package mutating func subtractOne() {
        if count & (Self.openMark - 1) != 0 && !isUnlimited { self = Demand(count: count - 1) }
    }

    /// Returns the saturated product of a demand and a factor.
    @inlinable
    public static func * (left: Demand, right: Int) -> Demand {
        precondition(right >= 0, "Demand * factor needs a factor of zero or more.")
        if left.isOpen && !left.isUnlimited { return (left.needed * right).opened }
        let (product, overflow) = left.count.multipliedReportingOverflow(by: right)
        return overflow || left.isUnlimited && right > 0 ? .unlimited : .max(product)
    }

    /// Orders demands by the number of values that they allow.
    @inlinable
    public static func < (left: Demand, right: Demand) -> Bool { left.count < right.count }
}

extension Demand: CustomStringConvertible {
    /// `unlimited`, the number of values (`3`), or `3 or more` if a source that cannot wait may exceed the number.
    public var description: String {
        if isUnlimited { return "unlimited" }
        return isOpen ? "\(needed.count) or more" : String(count)
    }
}
