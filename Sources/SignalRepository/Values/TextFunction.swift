/// What is computed of a text as Swift computes it: by characters, and for every alphabet.
package enum TextFunction: Int, Sendable, CaseIterable {
    case count, lowercased, uppercased, prefix, suffix, dropFirst, dropLast, contains, starts

    /// What it takes beside a text.
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

    /// Whether two texts are as it says, as a Foundation predicate has it: by characters, and by their case.
    package func holds(_ text: String, _ other: String) -> Bool {
        self == .starts ? text.starts(with: other) : Self.contains(text, other)
    }

    /// Whether characters stand in others: the `contains` of texts goes by scalars, and finds nothing in nothing.
    private static func contains<Text: Collection<Character>>(_ text: Text, _ other: Text) -> Bool {
        other.isEmpty || text.contains(other)
    }

    /// What it makes of a text; `count` is not negative.
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
