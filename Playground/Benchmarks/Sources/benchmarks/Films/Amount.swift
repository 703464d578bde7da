import Foundation

/// A box office as all forms store it: an integer of ten-thousandths.
///
/// `Decimal` gives access to its digits only through slow calls, which would hide what the rows measure. So the raw and
/// the peer form read and write its bytes, as the library does: the exponent, a byte of length and flags, two unused
/// bytes, and the digits. The films' amounts are never negative and fit in 64 bits.
enum Amount {
    /// Returns the amount of `scaled` ten-thousandths.
    static func decimal(_ scaled: Int64) -> Decimal {
        var digits = scaled.magnitude
        var exponent: Int8 = -4
        while exponent < 0, digits != 0, digits % 10 == 0 {
            digits /= 10
            exponent += 1
        }
        guard digits != 0 else { return Decimal() }
        let words = UInt8((64 - digits.leadingZeroBitCount + 15) / 16)
        var decimal = Decimal()
        withUnsafeMutableBytes(of: &decimal) { bytes in
            bytes.storeBytes(of: exponent, toByteOffset: 0, as: Int8.self)
            bytes.storeBytes(of: words << lengthShift, toByteOffset: 1, as: UInt8.self)
            bytes.storeBytes(of: digits.littleEndian, toByteOffset: 4, as: UInt64.self)
        }
        return decimal
    }

    /// Returns an amount in ten-thousandths.
    static func scaled(_ decimal: Decimal) -> Int64 {
        withUnsafeBytes(of: decimal) { bytes in
            var digits = Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: Int64.self))
            let exponent = Int8(bitPattern: bytes[0])
            for _ in 0..<max(0, exponent + 4) { digits *= 10 }
            return digits
        }
    }

    /// The position of the length within its byte, which differs between platforms.
    private static let lengthShift: UInt8 = withUnsafeBytes(of: Decimal(1)) { $0[1] & 0x0F == 1 ? 0 : 4 }
}
