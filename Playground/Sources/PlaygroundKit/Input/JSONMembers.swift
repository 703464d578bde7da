import Foundation

/// The members of one JSON object, in order, each with its value as it is spelled.
///
/// The bytes must have passed `JSONGrammar`. Numbers are not converted, so that an amount keeps all its digits.
struct JSONMembers: Sequence {
    struct Member {
        let key: String
        /// The value's bytes, without white space around them.
        let raw: ArraySlice<UInt8>

        /// The value as a field of a film; nil for null.
        var value: FilmFields.Value? {
            get throws(RowRejection) {
                switch raw.first {
                case UInt8(ascii: "n"): nil
                case UInt8(ascii: "\""): .text(try JSONMembers.string(raw))
                case UInt8(ascii: "{"): .other("an object")
                case UInt8(ascii: "["): .other("an array")
                case UInt8(ascii: "t"), UInt8(ascii: "f"): .other(String(decoding: raw, as: UTF8.self))
                default: .number(String(decoding: raw, as: UTF8.self))
                }
            }
        }
    }

    private let members: [Member]

    init(_ bytes: [UInt8]) throws(RowRejection) {
        guard bytes.first == UInt8(ascii: "{") else { throw RowRejection("it is not a JSON object") }
        var members: [Member] = []
        var walker = Walker(bytes: bytes, index: 1)
        while let key = walker.nextString() {
            members.append(Member(key: try Self.string(key), raw: walker.nextValue()))
        }
        self.members = members
    }

    func makeIterator() -> IndexingIterator<[Member]> { members.makeIterator() }

    /// Reads a JSON string in its quotes; Foundation resolves the escapes.
    private static func string(_ raw: ArraySlice<UInt8>) throws(RowRejection) -> String {
        let inner = raw.dropFirst().dropLast()
        guard inner.contains(UInt8(ascii: "\\")) else { return String(decoding: inner, as: UTF8.self) }
        do {
            return try JSONDecoder().decode([String].self, from: Data("[".utf8) + raw + Data("]".utf8))[0]
        } catch {
            throw RowRejection("a text has an escape that is not a character")
        }
    }
}

/// Steps through the bytes of a well-formed object.
private struct Walker {
    let bytes: [UInt8]
    var index: Int

    /// Returns the next key in its quotes, or nil at the object's end.
    mutating func nextString() -> ArraySlice<UInt8>? {
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "}") { return nil }
            index += 1
        }
        guard index < bytes.count else { return nil }
        let start = index
        skipString()
        return bytes[start..<index]
    }

    /// Returns the value after the colon.
    mutating func nextValue() -> ArraySlice<UInt8> {
        while index < bytes.count, bytes[index] == UInt8(ascii: ":") || isSpace(bytes[index]) { index += 1 }
        let start = index
        var depth = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                skipString()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}") where depth == 0, UInt8(ascii: ",") where depth == 0:
                return trimmed(start..<index)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            index += 1
        }
        return trimmed(start..<index)
    }

    private mutating func skipString() {
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index = min(index + 1, bytes.count)
    }

    private func trimmed(_ range: Range<Int>) -> ArraySlice<UInt8> {
        var end = range.upperBound
        while end > range.lowerBound, isSpace(bytes[end - 1]) { end -= 1 }
        return bytes[range.lowerBound..<end]
    }

    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }
}
