import Foundation

/// Where a page ends: what the next one comes after.
///
/// It is text of letters, digits, `-` and `_`, which mean nothing in a URL, so it can be sent to a client and back.
/// What it holds is the place in the order, not a number of items: items that come and go before it shift nothing.
public struct PageCursor: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The cursor as text.
    public let text: String

    /// Takes a cursor's text; whether it is one is found when the page is read.
    public init(_ text: String) {
        self.text = text
    }

    /// The cursor as text.
    public var description: String { text }

    /// Reads the text itself.
    public init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    /// Writes the text itself.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// Items of a query in its order, from one cursor to the next.
public struct Page<Item: Entity>: Sendable {
    /// The items.
    public let items: [Item]
    /// What the next page comes after; `nil` when there are no more items.
    public let next: PageCursor?
}

extension PageCursor {
    /// Encodes the order and the place in it: base64 with the two signs that a URL leaves alone, and no padding.
    init(encoding content: String) {
        let signs = Data(content.utf8).base64EncodedData().compactMap { sign -> UInt8? in
            switch sign {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: sign
            }
        }
        text = String(decoding: signs, as: UTF8.self)
    }

    /// What was encoded; `nil` for a text that is no cursor.
    var content: String? {
        var signs = text.utf8.map { sign in
            switch sign {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: sign
            }
        }
        while !signs.count.isMultiple(of: 4) { signs.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(signs)).flatMap { String(validating: $0, as: UTF8.self) }
    }
}

extension Page: Equatable where Item: Equatable {}
