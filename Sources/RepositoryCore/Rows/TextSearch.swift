/// A search for one text in another, ignoring the case of the letters A to Z.
///
/// A match consists of whole characters, as in Swift. Apart from the case of those letters, its bytes must be equal.
package enum TextSearch: Int, Sendable, Hashable, CaseIterable {
    case contains, prefix, suffix

    /// Returns the bytes to search for, in the form that `finds(_:in:byCharacters:)` expects.
    package static func pattern(_ text: String) -> [UInt8] {
        text.utf8.map { $0.folded }
    }

    /// Returns whether a pattern is found in a text, by whole characters or by code points.
    ///
    /// - Complexity: O(*n*) in the length of the text, for any text and pattern.
    package func finds(
        _ pattern: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>, byCharacters: Bool = true
    ) -> Bool {
        guard pattern.count <= text.count else { return false }
        var edges = CharacterEdges(text, byCharacters: byCharacters)
        switch self {
        case .contains: return Self.contains(pattern, text, &edges)
        case .prefix: return Self.isEqual(pattern, text, at: 0) && edges.isEdge(pattern.count)
        case .suffix:
            let start = text.count - pattern.count
            return Self.isEqual(pattern, text, at: start) && edges.isEdge(start)
        }
    }

    private static func isEqual(
        _ pattern: UnsafeBufferPointer<UInt8>, _ text: UnsafeBufferPointer<UInt8>, at start: Int
    ) -> Bool {
        for position in pattern.indices where text[start &+ position].folded != pattern[position] { return false }
        return true
    }

    private static func contains(
        _ pattern: UnsafeBufferPointer<UInt8>, _ text: UnsafeBufferPointer<UInt8>, _ edges: inout CharacterEdges
    ) -> Bool {
        guard let first = pattern.first else { return true }
        var start = 0
        // The number of bytes compared without a match. It is large only for a text crafted to be slow, which a user
        // might pass.
        var effort = 0
        while start <= text.count - pattern.count {
            if text[start].folded == first {
                var length = 1
                while length < pattern.count, text[start &+ length].folded == pattern[length] { length &+= 1 }
                if length == pattern.count, edges.areEdges(start, start + length) { return true }
                effort += length
                if effort > 8 * text.count { return containsByHash(pattern, text, from: start + 1, &edges) }
            }
            start &+= 1
        }
        return false
    }
}

extension TextSearch {
    /// A prime modulus.
    ///
    /// The base is random, so that nobody can craft a text in which hashes collide.
    private static let modulus: UInt64 = (1 << 61) - 1
    private static let base = UInt64.random(in: 1 << 32..<modulus)

    /// Searches with a rolling hash (Rabin–Karp), in one pass over the text.
    private static func containsByHash(
        _ pattern: UnsafeBufferPointer<UInt8>, _ text: UnsafeBufferPointer<UInt8>, from first: Int,
        _ edges: inout CharacterEdges
    ) -> Bool {
        guard first + pattern.count <= text.count else { return false }
        var (wanted, hash, power) = (UInt64(0), UInt64(0), UInt64(1))
        for position in pattern.indices {
            wanted = appending(pattern[position], to: wanted)
            hash = appending(text[first + position].folded, to: hash)
            if position > 0 { power = product(power, base) }
        }
        var start = first
        while true {
            // In repetitive text, most hashes match. Checking the boundaries is cheaper than comparing bytes, so it
            // comes first.
            if hash == wanted, edges.areEdges(start, start + pattern.count), isEqual(pattern, text, at: start) {
                return true
            }
            guard start + pattern.count < text.count else { return false }
            let leaving = product(UInt64(text[start].folded), power)
            hash = appending(text[start + pattern.count].folded, to: (hash + modulus - leaving) % modulus)
            start += 1
        }
    }

    private static func appending(_ byte: UInt8, to hash: UInt64) -> UInt64 {
        (product(hash, base) + UInt64(byte)) % modulus
    }

    private static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (high, low) = left.multipliedFullWidth(by: right)
        let sum = (high << 3 | low >> 61) + (low & modulus)
        return sum >= modulus ? sum - modulus : sum
    }
}

extension UInt8 {
    /// The byte, with the letters A to Z lowercased.
    ///
    /// SQLite compares names in this way, and text searches do as well.
    @inline(__always)
    var folded: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
}
