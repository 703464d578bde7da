import RepositoryCore

/// A value of PostgreSQL's type `numeric`, such as a sum of integers, decoded to digits of base 10,000.
struct Numeric {
    private let digits: [Int16]
    /// The exponent of the first digit, to base 10,000.
    private let weight: Int
    private let sign: UInt16

    /// Decodes a `numeric`; returns `nil` if the bytes are not a `numeric`.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        func word(_ index: Int) -> UInt16 { UInt16(bytes[2 * index]) << 8 | UInt16(bytes[2 * index + 1]) }
        guard bytes.count >= 8, bytes.count == 8 + 2 * Int(word(0)) else { return nil }
        weight = Int(Int16(bitPattern: word(1)))
        sign = word(2)
        digits = (4..<bytes.count / 2).map { Int16(bitPattern: word($0)) }
    }

    /// The number as an integer; `nil` if it is not whole, or does not fit.
    var integer: Int64? {
        // NaN and the infinities have other values in the sign field.
        guard sign == 0 || sign == 0x4000,
            digits.count <= weight + 1 || digits.dropFirst(max(weight + 1, 0)).allSatisfy({ $0 == 0 })
        else { return nil }
        var number: Int64 = 0
        guard weight >= 0 else { return digits.isEmpty ? 0 : nil }
        for index in 0...weight {
            let digit = index < digits.count ? Int64(digits[index]) : 0
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10_000)
            // Subtracts, because `Int64.min` has no positive counterpart.
            let (sum, isTooSmall) = product.subtractingReportingOverflow(digit)
            if isTooLarge || isTooSmall { return nil }
            number = sum
        }
        if sign == 0x4000 { return number }
        return number == .min ? nil : -number
    }

    var isInteger: Bool {
        (sign == 0 || sign == 0x4000) && digits.dropFirst(max(weight + 1, 0)).allSatisfy { $0 == 0 }
    }
}
