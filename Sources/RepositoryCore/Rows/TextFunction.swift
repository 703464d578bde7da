/// A text function with the same result as in Swift; it works on characters of every alphabet.
package enum TextFunction: Int, Sendable, CaseIterable {
    case count, lowercased, uppercased, prefix, suffix, dropFirst, dropLast, contains, starts

    /// The kind of argument that a function takes in addition to the text.
    package enum Argument {
        case none, count, text
    }

    package var argument: Argument {
        switch self {
        case .count, .lowercased, .uppercased: .none
        case .prefix, .suffix, .dropFirst, .dropLast: .count
        case .contains, .starts: .text
        }
    }

    /// Returns whether a text contains another text or begins with it, by characters and case-sensitively, as in a
    /// Foundation predicate.
    package func holds(_ text: String, _ other: String) -> Bool {
        self == .starts ? text.starts(with: other) : Self.contains(text, other)
    }

    /// Returns whether a text contains another text.
    ///
    /// `String.contains` would compare scalars, and not find "" in "".
    private static func contains<Text: Collection<Character>>(_ text: Text, _ other: Text) -> Bool {
        other.isEmpty || text.contains(other)
    }

    /// Applies the function to a text; `count` must not be negative.
    package func value(of text: String, _ count: Int) -> SQLValue {
        switch self {
        case .count: .integer(Int64(text.count))
        case .lowercased: .text(text.lowercased())
        case .uppercased: .text(text.uppercased())
        case .prefix: .text(String(text.prefix(count)))
        case .suffix: .text(String(text.suffix(count)))
        case .dropFirst: .text(String(text.dropFirst(count)))
        case .dropLast: .text(String(text.dropLast(count)))
        case .contains, .starts: .null
        }
    }
}
