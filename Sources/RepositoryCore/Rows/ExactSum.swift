/// An exact sum of floating-point numbers, which does not depend on their order.
///
/// Each summand is a 53-bit integer times a power of two. It is added to two of 68 chunks, each of which holds a
/// multiple of a different power of 2³² (Neal, "Fast exact summation using small and large superaccumulators", 2015).
///
/// - Complexity: O(1) for each summand; 568 bytes for each sum.
package struct ExactSum: Sendable, Equatable {
    /// The number of words: a count of summands since the last carry, two counts of infinities, and the chunks.
    package static let wordCount = 3 + chunkCount
    private static let chunkCount = 68
    private var words: [Int64]

    package init() { words = Array(repeating: 0, count: Self.wordCount) }

    /// Creates the sum from its bytes; `nil` if their number is wrong.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.wordCount * 8 else { return nil }
        words = bytes.withUnsafeBytes { bytes in
            // Safe because there is one word for each eight bytes.
            (0..<Self.wordCount).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self) }
        }
    }

    package mutating func add(_ number: Double) {
        words.withUnsafeMutableBufferPointer { words in
            if let start = words.baseAddress { Self.add(number, 1, to: start) }
        }
    }

    package mutating func subtract(_ number: Double) {
        words.withUnsafeMutableBufferPointer { words in
            if let start = words.baseAddress { Self.add(number, -1, to: start) }
        }
    }

    /// The sum, rounded to the nearest number, or to the even one in a tie; NaN for infinities of both signs.
    package var rounded: Double {
        var words = words
        return words.withUnsafeMutableBufferPointer { words in words.baseAddress.map { Self.rounded($0) } ?? 0 }
    }
}

// These functions take a pointer to the words of a sum, because SQLite allocates the words of an SQL aggregate.
extension ExactSum {
    /// Adds a number, `factor` times, to the words of a sum, which are zeros at first.
    package static func add(_ number: Double, _ factor: Int64, to words: UnsafeMutablePointer<Int64>) {
        guard number.isFinite else {
            words[number > 0 ? 1 : 2] += factor
            return
        }
        // A subnormal number has the exponent of the least normal numbers, but no implicit bit.
        let exponent = Int(number.exponentBitPattern)
        let bits = Int64(number.significandBitPattern) + (exponent == 0 ? 0 : 1 << 52)
        let significand = (number < 0) == (factor > 0) ? -bits : bits
        let place = max(exponent, 1) - 1
        let (chunk, shift) = (place >> 5, Int64(place & 31))
        // Safe because the greatest exponent selects the chunks 63 and 64.
        words[3 + chunk] += (significand & (1 << (32 - shift) - 1)) << shift
        words[4 + chunk] += significand >> (32 - shift)
        words[0] += 1
        // A thousand summands of at most 53 bits fit into the 63 bits of a chunk.
        if words[0] == 1_000 { carry(words) }
    }

    /// Carries the bits above the low 32 of each chunk to the next chunk; the last chunk keeps the sign.
    private static func carry(_ words: UnsafeMutablePointer<Int64>) {
        words[0] = 0
        for chunk in 3..<wordCount - 1 {
            words[chunk + 1] += words[chunk] >> 32
            words[chunk] &= 0xFFFF_FFFF
        }
    }

    package static func rounded(_ words: UnsafeMutablePointer<Int64>) -> Double {
        if words[1] != 0 || words[2] != 0 {
            return words[1] == 0 ? -.infinity : words[2] == 0 ? .infinity : .nan
        }
        carry(words)
        let isNegative = words[wordCount - 1] < 0
        if isNegative {
            for chunk in 3..<wordCount { words[chunk] = -words[chunk] }
            carry(words)
        }
        guard let top = (3..<wordCount).last(where: { words[$0] != 0 }) else { return 0 }
        // The three highest chunks, and whether any lower chunk is not zero.
        var number: UInt128 = 0
        for chunk in (top - 2...top).reversed() { number = number << 32 | UInt128(chunk < 3 ? 0 : words[chunk]) }
        let hasMore = top > 5 && (3..<top - 2).contains { words[$0] != 0 }
        // The exponent of the lowest bit of `number`, counted from the exponent of the least positive `Double`.
        let place = (top - 5) * 32
        let length = 128 - number.leadingZeroBitCount
        let dropped = max(length - 53, 0)
        var significand = UInt64(truncatingIfNeeded: number >> UInt128(dropped))
        let (rest, half) = (number & (1 << UInt128(dropped) - 1), UInt128(1) << UInt128(max(dropped, 1) - 1))
        if dropped > 0, rest > half || rest == half && (hasMore || significand & 1 == 1) { significand += 1 }
        let rounded = Double(sign: .plus, exponent: place + dropped - 1_074, significand: Double(significand))
        return isNegative ? -rounded : rounded
    }
}
