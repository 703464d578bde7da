public import Foundation

/// Conversion between `Decimal` and an integer scaled by a power of ten, exact in both directions.
///
/// `Decimal` exposes its digits only through slow calls (280 ns for an integer on Linux), so its twenty bytes are read
/// directly: the exponent, one byte for the length and the sign, two reserved bytes, eight 16-bit words of digits.
/// Platforms differ in the byte for the length and the sign. `layout` tests the known layouts of this byte once, with a
/// list of values. If none fits, the public interface of `Decimal` is used instead.
@usableFromInline
enum ScaledDecimal {
    /// The greatest scale: 10^18 is the largest power of ten that fits in an `Int64`.
    @usableFromInline static let maximumScale = 18

    /// Returns `value` × 10^`scale` as an integer; throws a fault if the result is not an integer or is out of range.
    @usableFromInline
    static func integer(_ value: Decimal, scale: Int) throws -> Int64 {
        guard let layout else { return try slowInteger(value, scale: scale) }
        return try fastInteger(Digits(value, layout), value, scale: scale)
    }

    /// Returns `value` × 10^scale as an integer, rounded if `places` has a rounding mode.
    @usableFromInline
    static func integer(_ value: Decimal, _ places: DecimalPlaces) throws -> Int64 {
        let scale = places.scale
        guard let rounding = places.rounding else { return try integer(value, scale: scale) }
        // A literal such as 1234.56 arrives as a slightly smaller number, which must not be rounded down.
        if let exact = try? integer(value, scale: scale) { return exact }
        var (rounded, number) = (Decimal(), value)
        NSDecimalRound(&rounded, &number, scale, rounding)
        return try integer(rounded, scale: scale)
    }

    /// Returns `integer` × 10^-`scale`.
    @usableFromInline
    static func decimal(_ integer: Int64, scale: Int) -> Decimal {
        guard let layout else { return slowDecimal(integer, scale: scale) }
        return fastDecimal(integer, scale: scale, layout)
    }

    static func fastInteger(_ digits: Digits, _ value: Decimal, scale: Int) throws -> Int64 {
        guard !digits.isNaN else { throw ColumnFault.value("not a number (NaN) cannot be stored") }
        let shift = digits.exponent + scale
        var magnitude = digits.magnitude
        if shift < 0, magnitude != 0 {
            guard -shift < powersOfTen.count else { return try asWritten(value, scale) }
            let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: powersOfTen[-shift])
            guard remainder == 0 else { return try asWritten(value, scale) }
            magnitude = quotient
        } else if shift > 0, magnitude != 0 {
            guard shift < powersOfTen.count else { throw tooLarge(value, scale) }
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: powersOfTen[shift])
            guard !overflow else { throw tooLarge(value, scale) }
            magnitude = product
        }
        if digits.isNegative {
            guard magnitude <= UInt128(Int64.min.magnitude) else { throw tooLarge(value, scale) }
            return Int64(truncatingIfNeeded: 0 &- magnitude)
        }
        guard let integer = Int64(exactly: magnitude) else { throw tooLarge(value, scale) }
        return integer
    }

    @inline(__always)
    static func fastDecimal(_ integer: Int64, scale: Int, _ layout: Layout) -> Decimal {
        var magnitude = integer.magnitude
        var exponent = -scale
        // Most amounts are whole and most scales are 4. Dividing by a constant is several times as fast as by a
        // variable.
        if scale == 4 {
            let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: 10_000)
            if remainder == 0 { (magnitude, exponent) = (quotient, 0) }
        }
        // Removes trailing zeros, because the hash of a `Decimal` depends on its representation.
        while magnitude != 0 {
            let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: 10)
            guard remainder == 0 else { break }
            magnitude = quotient
            exponent += 1
        }
        if magnitude == 0 { exponent = 0 }
        let length = (64 - magnitude.leadingZeroBitCount + 15) / 16
        let flags = UInt32(layout.flags(length, integer < 0)) << 8
        let words: Words = (
            (UInt32(UInt8(truncatingIfNeeded: exponent)) | flags).littleEndian,
            UInt32(truncatingIfNeeded: magnitude).littleEndian,
            UInt32(truncatingIfNeeded: magnitude >> 32).littleEndian, 0, 0
        )
        // Safe because `layout` was verified: it describes every byte, and both types have the same size.
        return unsafeBitCast(words, to: Decimal.self)
    }

    /// The twenty bytes of a `Decimal`.
    private typealias Words = (UInt32, UInt32, UInt32, UInt32, UInt32)

    static func slowInteger(_ value: Decimal, scale: Int) throws -> Int64 {
        guard !value.isNaN else { throw ColumnFault.value("not a number (NaN) cannot be stored") }
        var product = Decimal()
        var factor = value
        let outcome = NSDecimalMultiplyByPowerOf10(&product, &factor, Int16(scale), .plain)
        guard outcome == .noError else { throw tooLarge(value, scale) }
        let text = "\(product)"
        guard !text.contains(".") else { return try asWritten(value, scale) }
        guard let integer = Int64(text) else { throw tooLarge(value, scale) }
        return integer
    }

    /// Returns the scaled integer of the literal from which Swift made `value`; throws if there is no such literal.
    ///
    /// Swift converts a `Decimal` literal through `Double`: `1234.56` becomes 1234.5599999999997952. If a literal with
    /// `scale` places becomes exactly `value`, the program is assumed to have written this literal. The only candidate
    /// is `value` rounded to `scale` places. If it has up to 15 digits, dividing two doubles gives the double of this
    /// literal, and converting that double to `Decimal` must give `value`.
    private static func asWritten(_ value: Decimal, _ scale: Int) throws -> Int64 {
        var (rounded, exact) = (Decimal(), value)
        NSDecimalRound(&rounded, &exact, scale, .plain)
        let integer = try slowInteger(rounded, scale: scale)
        let literal = Decimal(Double(integer) / Double(powersOfTen[scale]))
        guard integer.magnitude < 1_000_000_000_000_000, literal == value else { throw tooPrecise(value, scale) }
        return integer
    }

    static func slowDecimal(_ integer: Int64, scale: Int) -> Decimal {
        let magnitude = Decimal(integer.magnitude)
        guard integer != 0 else { return magnitude }
        return Decimal(sign: integer < 0 ? .minus : .plus, exponent: -scale, significand: magnitude)
    }

    /// Returns `value` × 10^`scale` if it is a 64-bit integer, otherwise its position between such integers.
    static func bound(of value: Decimal, scale: Int) -> StoredBound {
        if let integer = try? integer(value, scale: scale) { return .exact(.integer(integer)) }
        // Foundation orders NaN below every number.
        guard !value.isNaN else { return .between(below: nil, above: .integer(.min)) }
        let magnitude = truncated(value, scale: scale) ?? .max
        if value > 0 {
            guard let below = Int64(exactly: magnitude) else { return .between(below: .integer(.max), above: nil) }
            return .between(below: .integer(below), above: below == .max ? nil : .integer(below + 1))
        }
        guard magnitude <= UInt128(Int64.min.magnitude) else { return .between(below: nil, above: .integer(.min)) }
        let above = Int64(truncatingIfNeeded: 0 &- magnitude)
        return .between(below: above == .min ? nil : .integer(above - 1), above: .integer(above))
    }

    /// Returns the integer part of the magnitude of `value` × 10^`scale`, or `nil` if it does not fit in 128 bits.
    private static func truncated(_ value: Decimal, scale: Int) -> UInt128? {
        guard let digits = UInt128("\(value.significand.magnitude)") else { return nil }
        let shift = value.exponent + scale
        guard shift.magnitude < powersOfTen.count else { return shift < 0 ? 0 : nil }
        if shift < 0 { return digits / powersOfTen[-shift] }
        let (product, overflow) = digits.multipliedReportingOverflow(by: powersOfTen[shift])
        return overflow ? nil : product
    }

    static func tooPrecise(_ value: Decimal, _ scale: Int) -> ColumnFault {
        .value("\(value) has more than \(scale.counted("decimal place"))")
    }

    static func tooLarge(_ value: Decimal, _ scale: Int) -> ColumnFault {
        let places = scale.counted("decimal place")
        return .value("\(value) is out of range: the limit with \(places) is ±\(slowDecimal(.max, scale: scale))")
    }

    static let powersOfTen: [UInt128] = (0...38).map { power in (0..<power).reduce(1) { product, _ in product * 10 } }
}

extension ScaledDecimal {
    /// The bit positions of the length and the sign in the second byte of a `Decimal`.
    struct Layout: Sendable, Equatable {
        let lengthShift: UInt8
        let negativeBit: UInt8

        /// The length in the low bits, as in NSDecimal.
        static let lengthLow = Layout(lengthShift: 0, negativeBit: 0x10)
        /// The length in the high bits, as in swift-foundation.
        static let lengthHigh = Layout(lengthShift: 4, negativeBit: 0x08)

        func flags(_ length: Int, _ isNegative: Bool) -> UInt8 {
            UInt8(length) << lengthShift | (isNegative ? negativeBit : 0)
        }
    }

    /// The layout on this platform; `nil` if it is unknown.
    static let layout: Layout? = [.lengthHigh, .lengthLow].first(where: isProved)

    static func isProved(_ layout: Layout) -> Bool {
        guard MemoryLayout<Decimal>.size == 20, Digits(.nan, layout).isNaN else { return false }
        let texts = [
            "0", "1", "-1", "0.0001", "-0.5", "65535", "65536", "-65536", "2767891499", "-922337203685477.5807", "1e4",
            "1.5e20", "79228162514264337593543950335", "-123456789012345678901234567890123456789",
        ]
        let readsAll = texts.allSatisfy { text in
            guard let value = Decimal(string: text) else { return false }
            let digits = Digits(value, layout)
            let magnitude = Decimal(string: "\(digits.magnitude)") ?? .nan
            let sign: FloatingPointSign = digits.isNegative ? .minus : .plus
            return !digits.isNaN && Decimal(sign: sign, exponent: digits.exponent, significand: magnitude) == value
        }
        let integers: [Int64] = [0, 1, -1, 123_456, -5000, 65_535_0000, .max, .min]
        return readsAll
            && integers.allSatisfy { integer in
                let (fast, slow) = (fastDecimal(integer, scale: 4, layout), slowDecimal(integer, scale: 4))
                return fast == slow && "\(fast)" == "\(slow)"
            }
    }

    struct Digits {
        let exponent: Int
        let isNegative: Bool
        let isNaN: Bool
        let magnitude: UInt128

        init(_ value: Decimal, _ layout: Layout) {
            // Reading these bytes is safe because `layout` was verified to describe each of them.
            (exponent, isNegative, isNaN, magnitude) = withUnsafeBytes(of: value) { bytes in
                let flags = bytes[1]
                let length = Int(flags >> layout.lengthShift & 0x0F)
                let low = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
                let high = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt64.self))
                let all = UInt128(high) << 64 | UInt128(low)
                let mask = length >= 8 ? UInt128.max : (UInt128(1) << UInt128(length * 16)) - 1
                let negative = flags & layout.negativeBit != 0
                return (Int(Int8(bitPattern: bytes[0])), negative, length == 0 && negative, all & mask)
            }
        }
    }
}
