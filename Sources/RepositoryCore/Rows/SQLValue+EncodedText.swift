import Foundation

extension SQLValue {
    /// The value as text: a letter for its storage class, then the value; `nil` for NULL.
    ///
    /// Different values have different texts, which consist of ASCII letters, digits, `-` and `%`.
    var encodedText: String? {
        switch self {
        case .null: nil
        case .integer(let value): "i\(value)"
        case .real(let value): "r" + String(value.bitPattern, radix: 16)
        case .text(let value): "t" + value.percentEncoded
        case .blob(let bytes): "b" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    /// Decodes a value from its encoded text; `nil` if the text is not a valid encoding.
    init?(encodedText: Substring) {
        let rest = encodedText.dropFirst()
        switch encodedText.first {
        case "i":
            guard let value = Int64(rest) else { return nil }
            self = .integer(value)
        case "r":
            guard let bits = UInt64(rest, radix: 16), !Double(bitPattern: bits).isNaN else { return nil }
            self = .real(Double(bitPattern: bits))
        case "t":
            guard let text = rest.removingPercentEncoding else { return nil }
            self = .text(text)
        case "b":
            let digits = Array(rest)
            guard digits.count.isMultiple(of: 2) else { return nil }
            let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(digits[$0...($0 + 1)]), radix: 16)
            }
            guard bytes.count * 2 == digits.count else { return nil }
            self = .blob(bytes)
        default: return nil
        }
    }
}

extension String {
    /// The text with every byte except ASCII letters and digits percent-encoded, which makes it safe in a URL.
    var percentEncoded: String {
        utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                String(Character(Unicode.Scalar(byte)))
            default: (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
            }
        }.joined()
    }
}
