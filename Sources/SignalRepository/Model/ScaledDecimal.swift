public import Foundation

/// The conversion between `Decimal` and an integer scaled by a power of ten, exact in both directions.
///
/// `Decimal` shows its digits through slow calls only (on Linux 280 ns for an integer). Its twenty bytes are those of
/// NSDecimal on every platform: the exponent, one byte with the length, sign and compact flag, two reserved bytes,
/// eight 16-bit words of digits. `layoutIsKnown` checks this once against values of every shape; where it does not
/// hold, the public interface of `Decimal` is used instead.
@usableFromInline
enum ScaledDecimal {
    /// The greatest scale: 10^18 is the last power of ten in an `Int64`.
    @usableFromInline static let maximumScale = 18

    /// Returns `value` × 10^`scale` as an integer, or throws why there is none.
    @usableFromInline
    static func integer(_ value: Decimal, scale: Int) throws(ColumnFault) -> Int64 {
        guard layoutIsKnown else { return try slowInteger(value, scale: scale) }
        return try fastInteger(value, scale: scale)
    }

    /// Returns `integer` × 10^-`scale`.
    @usableFromInline
    static func decimal(_ integer: Int64, scale: Int) -> Decimal {
        layoutIsKnown ? fastDecimal(integer, scale: scale) : slowDecimal(integer, scale: scale)
    }

    static let layoutIsKnown: Bool = {
        guard MemoryLayout<Decimal>.size == 20 else { return false }
        let texts = [
            "0", "1", "-1", "0.0001", "-0.5", "65535", "65536", "2767891499", "-922337203685477.5807", "1.0000",
            "1e4", "1.5e20", "79228162514264337593543950335", "-123456789012345678901234567890123456789",
        ]
        return texts.allSatisfy { text in
            guard let value = Decimal(string: text) else { return false }
            let digits = Digits(value)
            let magnitude = Decimal(string: "\(digits.magnitude)") ?? .nan
            let rebuilt = Decimal(sign: digits.isNegative ? .minus : .plus, exponent: digits.exponent, significand: magnitude)
            return rebuilt == value
        }
            && Digits(.nan).isNaN
            && [0, 1, -1, 12_3456, -5000, 65_535_0000, Int64.max, Int64.min].allSatisfy { integer in
                fastDecimal(integer, scale: 4) == slowDecimal(integer, scale: 4)
            }
    }()

    static func fastInteger(_ value: Decimal, scale: Int) throws(ColumnFault) -> Int64 {
        let digits = Digits(value)
        guard !digits.isNaN else { throw ColumnFault.value("not a number (NaN) cannot be stored") }
        let shift = digits.exponent + scale
        var magnitude = digits.magnitude
        if shift < 0, magnitude != 0 {
            guard -shift < powersOfTen.count else { throw tooPrecise(value, scale) }
            let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: powersOfTen[-shift])
            guard remainder == 0 else { throw tooPrecise(value, scale) }
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

    static func fastDecimal(_ integer: Int64, scale: Int) -> Decimal {
        var magnitude = integer.magnitude
        var exponent = -scale
        while exponent < 0, magnitude != 0 {
            let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: 10)
            guard remainder == 0 else { break }
            magnitude = quotient
            exponent += 1
        }
        guard magnitude != 0 else { return Decimal() }
        let length = (64 - magnitude.leadingZeroBitCount + 15) / 16
        var value = Decimal()
        // Writing these bytes is safe because `layoutIsKnown` has proved what each of them means.
        withUnsafeMutableBytes(of: &value) { bytes in
            bytes.storeBytes(of: Int8(exponent), toByteOffset: 0, as: Int8.self)
            bytes.storeBytes(of: UInt8(length) | (integer < 0 ? 0x10 : 0), toByteOffset: 1, as: UInt8.self)
            bytes.storeBytes(of: magnitude.littleEndian, toByteOffset: 4, as: UInt64.self)
        }
        return value
    }

    static func slowInteger(_ value: Decimal, scale: Int) throws(ColumnFault) -> Int64 {
        guard !value.isNaN else { throw ColumnFault.value("not a number (NaN) cannot be stored") }
        var product = Decimal()
        var factor = value
        let outcome = NSDecimalMultiplyByPowerOf10(&product, &factor, Int16(scale), .plain)
        guard outcome == .noError else { throw tooLarge(value, scale) }
        let text = "\(product)"
        guard !text.contains(".") else { throw tooPrecise(value, scale) }
        guard let integer = Int64(text) else { throw tooLarge(value, scale) }
        return integer
    }

    static func slowDecimal(_ integer: Int64, scale: Int) -> Decimal {
        let magnitude = Decimal(integer.magnitude)
        guard integer != 0 else { return magnitude }
        return Decimal(sign: integer < 0 ? .minus : .plus, exponent: -scale, significand: magnitude)
    }

    static func tooPrecise(_ value: Decimal, _ scale: Int) -> ColumnFault {
        .value("\(value) has more than \(scale) decimal places")
    }

    static func tooLarge(_ value: Decimal, _ scale: Int) -> ColumnFault {
        .value("\(value) is out of range: with \(scale) decimal places, ±\(slowDecimal(.max, scale: scale)) can be held")
    }

    static let powersOfTen: [UInt128] = (0...38).map { power in (0..<power).reduce(1) { product, _ in product * 10 } }
}

extension ScaledDecimal {
    /// The parts of a `Decimal`, read from its bytes.
    struct Digits {
        let exponent: Int
        let isNegative: Bool
        let isNaN: Bool
        let magnitude: UInt128

        init(_ value: Decimal) {
            // Reading these bytes is safe because `layoutIsKnown` has proved what each of them means.
            (exponent, isNegative, isNaN, magnitude) = withUnsafeBytes(of: value) { bytes in
                let flags = bytes[1]
                let length = Int(flags & 0x0F)
                let low = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
                let high = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt64.self))
                let all = UInt128(high) << 64 | UInt128(low)
                let mask = length >= 8 ? UInt128.max : (UInt128(1) << UInt128(length * 16)) - 1
                let negative = flags & 0x10 != 0
                return (Int(Int8(bitPattern: bytes[0])), negative, length == 0 && negative, all & mask)
            }
        }
    }
}
