import Foundation

/// A box office as all forms store it: an integer of ten thousandths.
enum Amount {
    static func decimal(_ scaled: Int64) -> Decimal {
        Decimal(sign: scaled < 0 ? .minus : .plus, exponent: -4, significand: Decimal(scaled.magnitude))
    }

    static func scaled(_ decimal: Decimal) -> Int64 {
        var product = decimal * 10_000
        var whole = Decimal()
        NSDecimalRound(&whole, &product, 0, .plain)
        return (whole as NSDecimalNumber).int64Value
    }
}
