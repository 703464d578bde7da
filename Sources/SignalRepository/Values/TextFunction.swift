/// What is computed of a text as Swift computes it: by characters, and for every alphabet.
enum TextFunction: Int, Sendable, CaseIterable {
    case count, lowercased, uppercased, prefix, suffix, dropFirst, dropLast

    /// Our function that computes it within a statement.
    var function: StaticString {
        switch self {
        case .count: "signal_repository_count"
        case .lowercased: "signal_repository_lowercased"
        case .uppercased: "signal_repository_uppercased"
        case .prefix: "signal_repository_prefix"
        case .suffix: "signal_repository_suffix"
        case .dropFirst: "signal_repository_drop_first"
        case .dropLast: "signal_repository_drop_last"
        }
    }

    /// Whether it takes a number of characters.
    var takesCount: Bool {
        switch self {
        case .count, .lowercased, .uppercased: false
        case .prefix, .suffix, .dropFirst, .dropLast: true
        }
    }

    /// What it makes of a text; `count` is not negative.
    func value(of text: String, _ count: Int) -> SQLValue {
        switch self {
        case .count: .integer(Int64(text.count))
        case .lowercased: .text(text.lowercased())
        case .uppercased: .text(text.uppercased())
        case .prefix: .text(String(text.prefix(count)))
        case .suffix: .text(String(text.suffix(count)))
        case .dropFirst: .text(String(text.dropFirst(count)))
        case .dropLast: .text(String(text.dropLast(count)))
        }
    }
}
