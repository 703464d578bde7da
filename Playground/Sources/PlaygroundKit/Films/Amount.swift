import Foundation

/// Reads and writes amounts of money exactly.
package enum Amount {
    /// The largest number of digits after the decimal point of a stored amount.
    static let scale = 4
    /// The largest amount that can be stored: a 64-bit number of ten-thousandths.
    static let largest = Decimal(Int64.max) / 10_000

    private static let english = Locale(identifier: "en_US_POSIX")

    /// Reads a plain number such as `146083`, `-12.50` or `1.5e8`; nil for anything else.
    static func parse(_ text: String) -> Decimal? {
        if text.utf8.count <= 18 && text.utf8.allSatisfy(isDigit) { return Int64(text).map { Decimal($0) } }
        guard isNumber(text), text.utf8.count <= 64,
            let amount = Decimal(string: text, locale: english)
        else { return nil }
        return amount.isFinite ? amount : nil
    }

    /// Whether an amount's text is read without rounding.
    ///
    /// An amount that can be stored has no more digits than a 64-bit number, apart from leading and trailing zeros.
    static func isExact(_ text: String) -> Bool {
        let mantissa = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        let digits = mantissa.filter(isDigit)
        let significant = digits.drop { $0 == 0x30 }.reversed().drop { $0 == 0x30 }
        return significant.count <= 19
    }

    /// Whether an amount can be stored without loss.
    static func isStorable(_ amount: Decimal) -> Bool {
        guard amount.magnitude <= largest else { return false }
        if amount.exponent >= -scale { return true }
        var (source, rounded) = (amount, Decimal())
        NSDecimalRound(&rounded, &source, scale, .plain)
        return rounded == amount
    }

    /// Writes an amount with all its digits and no grouping.
    package static func text(_ amount: Decimal) -> String { amount.description }

    /// Writes an amount for people, rounded to two digits after the point.
    static func rounded(_ amount: Decimal) -> String {
        var (source, result) = (amount, Decimal())
        NSDecimalRound(&result, &source, 2, .plain)
        let text = result.description
        let digits = text.split(separator: ".").dropFirst().first?.count ?? 0
        return text + (digits == 0 ? "." : "") + String(repeating: "0", count: 2 - digits)
    }

    private static func isNumber(_ text: String) -> Bool {
        var rest = text[...].utf8
        if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        let mantissa = rest.prefix { isDigit($0) || $0 == UInt8(ascii: ".") }
        let points = mantissa.filter { $0 == UInt8(ascii: ".") }.count
        guard points <= 1, mantissa.count > points else { return false }
        rest = rest.dropFirst(mantissa.count)
        guard let mark = rest.first else { return true }
        guard mark | 0x20 == UInt8(ascii: "e") else { return false }
        rest = rest.dropFirst()
        if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        return (1...3).contains(rest.count) && rest.allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}
