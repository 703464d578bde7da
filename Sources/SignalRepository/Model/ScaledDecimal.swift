public import Foundation

/// The conversion between `Decimal` and an integer scaled by a power of ten, exact in both directions.
///
/// `Decimal` shows its digits through slow calls only (on Linux 280 ns for an integer). Its twenty bytes are the
/// exponent, one byte with the length, sign and compact flag, two reserved bytes, and eight 16-bit words of digits.
/// `layout` finds out once, with values of every shape, which bits of the second byte are which; where neither of the
/// known layouts holds, the public interface of `Decimal` is used instead.
@usableFromInline
enum ScaledDecimal {
    /// The greatest scale: 10^18 is the last power of ten in an `Int64`.
    @usableFromInline static let maximumScale = 18

    /// Returns `value` × 10^`scale` as an integer, or throws why there is none.
    @usableFromInline
    static func integer(_ value: Decimal, scale: Int) throws(ColumnFault) -> Int64 {
        guard let layout else { return try slowInteger(value, scale: scale) }
        return try fastInteger(Digits(value, layout), of: value, scale: scale)
    }

    /// Returns `integer` × 10^-`scale`.
    @usableFromInline
    static func decimal(_ integer: Int64, scale: Int) -> Decimal {
        guard let layout else { return slowDecimal(integer, scale: scale) }
        return fastDecimal(integer, scale: scale, layout)
    }

    static let layout = [Layout.bitFields, .packed].first(where: isTrue)

    /// Whether values of every shape are read and written right with a layout.
    private static func isTrue(of layout: Layout) -> Bool {
        guard MemoryLayout<Decimal>.size == 20 else { return false }
        let texts = [
            "0", "1", "-1", "0.0001", "-0.5", "65535", "65536", "2767891499", "-922337203685477.5807", "1.0000",
            "1e4", "1.5e20", "79228162514264337593543950335", "-123456789012345678901234567890123456789",
        ]
        let areRead = texts.allSatisfy { text in
            guard let value = Decimal(string: text) else { return false }
            let digits = Digits(value, layout)
            let magnitude = Decimal(string: "\(digits.magnitude)") ?? .nan
            return value
                == Decimal(
                    sign: digits.isNegative ? .minus : .plus, exponent: digits.exponent, significand: magnitude)
        }
        let integers = [0, 1, -1, 12_3456, -5000, 65_535_0000, Int64.max, Int64.min]
        return areRead && Digits(.nan, layout).isNaN
            && integers.allSatisfy { fastDecimal($0, scale: 4, layout) == slowDecimal($0, scale: 4) }
    }

    static func fastInteger(_ digits: Digits, of value: Decimal, scale: Int) throws(ColumnFault) -> Int64 {
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

    static func fastDecimal(_ integer: Int64, scale: Int, _ layout: Layout) -> Decimal {
        var magnitude = integer.magnitude
        var exponent = -scale
        while exponent < 0, magnitude != 0 {
            let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: 10)
            guard remainder == 0 else { break }
            magnitude = quotient
            exponent += 1
        }
        guard magnitude != 0 else { return Decimal() }
        let length = UInt8((64 - magnitude.leadingZeroBitCount + 15) / 16)
        let flags = length << layout.lengthShift | layout.compact | (integer < 0 ? layout.negative : 0)
        var value = Decimal()
        // Writing these bytes is safe because `layout` was proved before use.
        withUnsafeMutableBytes(of: &value) { bytes in
            bytes.storeBytes(of: Int8(exponent), toByteOffset: 0, as: Int8.self)
            bytes.storeBytes(of: flags, toByteOffset: 1, as: UInt8.self)
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
        let greatest = slowDecimal(.max, scale: scale)
        return .value("\(value) is out of range: with \(scale) decimal places, ±\(greatest) can be held")
    }

    static let powersOfTen: [UInt128] = (0...38).map { power in (0..<power).reduce(1) { product, _ in product * 10 } }
}

extension ScaledDecimal {
    /// Which bits of the second byte of a `Decimal` are which.
    struct Layout: Sendable {
        let lengthShift: UInt8
        let negative: UInt8
        let compact: UInt8

        /// The bit fields of NSDecimal, on Apple's platforms.
        static let bitFields = Layout(lengthShift: 0, negative: 0x10, compact: 0x20)
        /// The flags of the Foundation that is written in Swift, on Linux.
        static let packed = Layout(lengthShift: 4, negative: 0x08, compact: 0x04)
    }

    /// The parts of a `Decimal`, read from its bytes.
    struct Digits {
        let exponent: Int
        let isNegative: Bool
        let isNaN: Bool
        let magnitude: UInt128

        init(_ value: Decimal, _ layout: Layout) {
            // Reading these bytes is safe because `layout` was proved before use.
            (exponent, isNegative, isNaN, magnitude) = withUnsafeBytes(of: value) { bytes in
                let flags = bytes[1]
                let length = Int(flags >> layout.lengthShift & 0x0F)
                let low = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
                let high = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt64.self))
                let all = UInt128(high) << 64 | UInt128(low)
                let mask = length >= 8 ? UInt128.max : (UInt128(1) << UInt128(length * 16)) - 1
                let negative = flags & layout.negative != 0
                return (Int(Int8(bitPattern: bytes[0])), negative, length == 0 && negative, all & mask)
            }
        }
    }
}
