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
        text = Data(content.utf8).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// What was encoded; `nil` for a text that is no cursor.
    var content: String? {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return Data(base64Encoded: plain + padding).flatMap { String(validating: $0, as: UTF8.self) }
    }
}

extension Page: Equatable where Item: Equatable {}
