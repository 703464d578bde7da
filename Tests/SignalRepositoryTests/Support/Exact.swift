import Foundation

@testable import RepositoryCore
@testable import SignalRepository

/// A decimal number that is computed exactly: its digits as a whole number, or an overflow of 64 bits on the way.
struct Exact: Sendable {
    /// The digits; `nil` for a missing number.
    var digits: Int64?
    let scale: Int
    /// Whether a part that the value needs is too large.
    var isTooLarge = false
    /// Whether any part is too large, needed or not, such as the unused side of a `??`.
    var mayFail = false

    static func of(_ digits: Int64?, _ scale: Int = 0) -> Exact { Exact(digits: digits, scale: scale) }

    /// The digits at a larger scale, without a limit of 64 bits.
    func wide(_ scale: Int) -> Int128? {
        digits.map { digits in (self.scale..<scale).reduce(Int128(digits)) { wide, _ in wide * 10 } }
    }

    /// The number at a larger scale.
    func scaled(to scale: Int) -> Exact { Exact(wide(scale), scale, after: [self]) }

    private init(_ wide: Int128?, _ scale: Int, after parts: [Exact]) {
        let isHere = !parts.contains(where: \.isTooLarge)
        let fits = wide.map { Int64(exactly: $0) != nil } ?? true
        digits = isHere ? wide.flatMap { Int64(exactly: $0) } : nil
        self.scale = scale
        isTooLarge = !isHere || !fits
        mayFail = isTooLarge || parts.contains(where: \.mayFail)
    }

    private init(digits: Int64?, scale: Int) { (self.digits, self.scale) = (digits, scale) }

    /// Brings both numbers to one scale, and computes a result from them.
    private func with(_ other: Exact, _ scale: Int?, _ compute: (Int128, Int128) -> Int128?) -> Exact {
        let places = max(self.scale, other.scale)
        let (left, right) = scale == nil ? (scaled(to: places), other.scaled(to: places)) : (self, other)
        guard let one = left.digits, let two = right.digits else {
            return Exact(nil, scale ?? places, after: [left, right])
        }
        return Exact(compute(Int128(one), Int128(two)), scale ?? places, after: [left, right])
    }

    func plus(_ other: Exact) -> Exact { with(other, nil, +) }
    func minus(_ other: Exact) -> Exact { with(other, nil, -) }
    func times(_ other: Exact) -> Exact { with(other, scale + other.scale, *) }
    func dividedBy(_ other: Exact) -> Exact { with(other, nil) { $1 == 0 ? nil : $0 / $1 } }
    func remainder(_ other: Exact) -> Exact { with(other, nil) { $1 == 0 ? nil : $0 % $1 } }
    var negated: Exact { Exact(digits.map { -Int128($0) }, scale, after: [self]) }
    var magnitude: Exact { Exact(digits.map { abs(Int128($0)) }, scale, after: [self]) }

    /// The number, or the other one if it is missing.
    func or(_ other: Exact) -> Exact {
        let places = max(scale, other.scale)
        let (left, right) = (scaled(to: places), other.scaled(to: places))
        var result = left.isTooLarge || left.digits != nil ? left : right
        result.mayFail = left.mayFail || right.mayFail
        return result
    }

    /// The order of two numbers; `nil` if one is missing.
    func order(_ other: Exact) -> Int? {
        let places = max(scale, other.scale)
        guard let left = wide(places), let right = other.wide(places) else { return nil }
        return left < right ? -1 : left > right ? 1 : 0
    }
}

/// An entity of numbers at the limits of their types.
struct Amount: Entity, Equatable {
    let id: Int
    var whole: Int
    var other: Int?
    var byte: UInt8
    var small: Int8
    var medium: Int32
    var unsigned: UInt
    var units: Decimal
    var cents: Decimal
    var fine: Decimal?
    var result: Int?
    var price: Decimal?

    static let schema = Schema<Amount> {
        Column("id", \.id)
        Column("whole", \.whole)
        Column("other", \.other)
        Column("byte", \.byte)
        Column("small", \.small)
        Column("medium", \.medium)
        Column("unsigned", \.unsigned)
        Column("units", \.units, .scale(0))
        Column("cents", \.cents, .scale(2))
        Column("fine", \.fine, .scale(4))
        Column("result", \.result)
        Column("price", \.price, .scale(9))
    } decode: { row in
        try Amount(
            id: row.next(), whole: row.next(), other: row.next(), byte: row.next(), small: row.next(),
            medium: row.next(), unsigned: row.next(), units: row.next(), cents: row.next(), fine: row.next(),
            result: row.next(), price: row.next())
    }

    /// Numbers at which arithmetic overflows, or Double loses precision.
    static let zoo: [Int64] = [
        0, 1, -1, 2, -2, 3, 7, 10, -10, 1000, .max, .min, .max - 1, .min + 1, .max / 10, .min / 10, .min / 10 - 1,
        1 << 53, (1 << 53) + 1, (1 << 53) - 1, 3_037_000_499, 3_037_000_500, -3_037_000_500, 1 << 31, 1 << 32, 1 << 62,
        1_000_000_000_000_000_000, 3_000_000_000_000_000_001, 9_000_000_000_000_000_001, 4_000_000_001,
    ]

    static func random(_ id: Int, _ random: inout some RandomNumberGenerator) -> Amount {
        func pick() -> Int64 { zoo.randomElement(using: &random) ?? 0 }
        return Amount(
            id: id, whole: Int(pick()), other: id % 3 == 0 ? nil : Int(pick()),
            byte: [0, 1, 127, 200, 255].randomElement(using: &random) ?? 0,
            small: [0, 1, -1, .max, .min].randomElement(using: &random) ?? 0,
            medium: [0, 1, -1, .max, .min].randomElement(using: &random) ?? 0,
            unsigned: UInt(max(0, pick())), units: ScaledDecimal.decimal(pick(), scale: 0),
            cents: ScaledDecimal.decimal(pick(), scale: 2),
            fine: id % 4 == 0 ? nil : ScaledDecimal.decimal(pick(), scale: 4), result: nil, price: nil)
    }

    /// The digits of a decimal property.
    static func digits(_ value: Decimal?, _ scale: Int) -> Int64? {
        value.flatMap { try? ScaledDecimal.integer($0, scale: scale) }
    }
}
