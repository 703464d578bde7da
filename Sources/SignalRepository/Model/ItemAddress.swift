import Foundation

/// The contents of a stored item's URL: `signal-repository://store/entity/key`.
///
/// The key is written as it is stored, after a letter for its storage class, so that no two keys look alike.
struct ItemAddress: Equatable {
    static let scheme = "signal-repository"

    var store: String
    var entity: String
    var key: SQLValue

    init(store: String, entity: String, key: SQLValue) {
        self.store = store
        self.entity = entity
        self.key = key
    }

    /// Parses a URL; `nil` when it does not refer to an item.
    init?(_ url: URL) {
        let parts = url.absoluteString.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, parts[0] == Self.scheme + ":", parts[1].isEmpty, !parts[2].isEmpty,
            let entity = parts[3].removingPercentEncoding, !entity.isEmpty, let key = Self.key(parts[4])
        else { return nil }
        self.init(store: parts[2], entity: entity, key: key)
    }

    /// The URL; `nil` for a key that no item can have.
    var url: URL? {
        guard let key = Self.text(key) else { return nil }
        return URL(string: "\(Self.scheme)://\(store)/\(Self.escaped(entity))/\(key)")
    }

    private static func text(_ key: SQLValue) -> String? {
        switch key {
        case .null: nil
        case .integer(let value): "i\(value)"
        case .real(let value): "r" + String(value.bitPattern, radix: 16)
        case .text(let value): "t" + escaped(value)
        case .blob(let bytes): "b" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    private static func key(_ text: String) -> SQLValue? {
        let rest = String(text.dropFirst())
        switch text.first {
        case "i": return Int64(rest).map(SQLValue.integer)
        case "r":
            guard let bits = UInt64(rest, radix: 16), !Double(bitPattern: bits).isNaN else { return nil }
            return .real(Double(bitPattern: bits))
        case "t": return rest.removingPercentEncoding.map(SQLValue.text)
        case "b":
            let digits = Array(rest)
            guard digits.count.isMultiple(of: 2) else { return nil }
            let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(digits[$0...($0 + 1)]), radix: 16)
            }
            return bytes.count * 2 == digits.count ? .blob(bytes) : nil
        default: return nil
        }
    }

    /// Percent-encodes every byte but letters and digits, so that nothing in a name has a meaning in a URL.
    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                String(Character(Unicode.Scalar(byte)))
            default: (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
            }
        }.joined()
    }
}
