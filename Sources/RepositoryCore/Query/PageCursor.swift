import Foundation

/// The end of a page, after which the next page begins.
///
/// The text of a cursor consists of letters, digits, `-` and `_`, which are safe in a URL, so a client can receive it
/// and send it back. A cursor is a position in the order, not a number of items. So the next page stays the same if
/// earlier items are inserted or deleted.
public struct PageCursor: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The cursor as text.
    public let text: String

    /// Creates a cursor from its text, which is checked when the page is read.
    public init(_ text: String) {
        self.text = text
    }

    /// The cursor as text.
    public var description: String { text }

    /// Decodes a cursor from its text.
    public init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    /// Encodes the cursor as its text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// The items of a query between two cursors, in the query's order.
public struct Page<Item: Entity>: Sendable {
    /// The items.
    public let items: [Item]
    /// The cursor of the next page; `nil` if there are no more items.
    public let next: PageCursor?
}

extension PageCursor {
    /// Creates a cursor from its content, an order and a position, in URL-safe base64 without padding.
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

    /// The encoded content; `nil` if the text is not a cursor.
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
