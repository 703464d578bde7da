/// The names and the language of full-text indexes.
enum SearchIndex {
    /// The most words that are searched for at once.
    static let mostWords = 64

    /// The name of the index of a table.
    static func name(of table: String) -> String { prefix + table }

    /// The name of a trigger that keeps the index right: what it is for, and the table.
    static func trigger(_ kind: String, of table: String) -> String { prefix + kind + "_" + table }

    /// The table that a trigger was made for; `nil` for one that is not ours.
    static func owner(ofTrigger name: String) -> String? {
        for kind in ["insert", "update", "delete"] where name.hasPrefix(prefix + kind + "_") {
            return String(name.dropFirst(prefix.count + kind.count + 1))
        }
        return nil
    }

    private static let prefix = "signal_repository_search_"

    /// The words of a person's text as FTS5 takes them: each quoted, so that no sign means anything; `nil` when there
    /// are none.
    static func pattern(_ text: String, isPrefix: Bool) -> String? {
        let words = words(text)
        if words.isEmpty { return nil }
        return words.map(quoted).joined(separator: " ") + (isPrefix ? " *" : "")
    }

    /// By scalars: a quotation mark with a combining mark is one character, and another one.
    private static func quoted(_ word: String) -> String {
        var quoted = "\""
        for scalar in word.unicodeScalars { quoted += scalar == "\"" ? "\"\"" : String(scalar) }
        return quoted + "\""
    }

    /// What stands between spaces; NUL would end the statement's text.
    static func words(_ text: String) -> [String] {
        text.unicodeScalars
            .split { $0.properties.isWhitespace || $0.value < 0x20 }
            .map { String(String.UnicodeScalarView($0)) }
    }
}
