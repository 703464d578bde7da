import Testing

@testable import SignalRepositoryPostgres

/// Encodings that the protocol allows, though no server sends them now.
@Suite("Numbers of any size, by their bytes") struct NumericBytesTests {
    /// A number of base-10,000 digits; `weight` is the exponent of the first one.
    private func number(_ digits: [UInt16], weight: Int16, sign: UInt16 = 0) -> Numeric? {
        let words: [UInt16] = [UInt16(digits.count), UInt16(bitPattern: weight), sign, 0] + digits
        let bytes = words.flatMap { word in [UInt8(word >> 8), UInt8(word & 0xFF)] }
        return bytes.withUnsafeBufferPointer { Numeric($0) }
    }

    @Test("Trailing zeros do not change a whole number") func zeros() {
        for (digits, weight, value) in [([1, 0], 0, 1), ([1, 0, 0], 1, 10_000), ([7, 2, 0], 1, 70_002)]
            as [([UInt16], Int16, Int64)]
        {
            let found = number(digits, weight: weight)
            #expect(found?.integer == value && found?.isInteger == true)
            #expect(number(digits, weight: weight, sign: 0x4000)?.integer == -value)
        }
        #expect(number([], weight: -1)?.integer == 0 && number([], weight: -1)?.isInteger == true)
        #expect(number([], weight: 0)?.integer == 0)
    }

    @Test("A fraction is not whole, however small it is, and whatever its digits are") func fractions() {
        for (digits, weight) in [([1, 1], 0), ([5_000], -1), ([1], -1), ([1], -2), ([1, 0, 1], 1)]
            as [([UInt16], Int16)]
        {
            let found = number(digits, weight: weight)
            #expect(found != nil && found?.integer == nil && found?.isInteger == false, "\(digits) \(weight)")
        }
    }

    @Test("Bytes of a wrong length are not a number") func lengths() {
        let whole: [UInt8] = [0, 1, 0, 0, 0, 0, 0, 0, 0, 7]
        for count in 0..<whole.count {
            #expect(Array(whole.prefix(count)).withUnsafeBufferPointer { Numeric($0) == nil }, "\(count)")
        }
        #expect((whole + [0, 0]).withUnsafeBufferPointer { Numeric($0) == nil })
        #expect(whole.withUnsafeBufferPointer { Numeric($0)?.integer } == 7)
    }
}
