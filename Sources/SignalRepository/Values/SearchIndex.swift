/// The names and the language of full-text indexes.
enum SearchIndex {
    /// The most words that are searched for at once.
    static let mostWords = 64

    /// The most bytes of a text that is searched for.
    static let mostBytes = 4_096

    /// The name of the index of a table: FTS5 adds to it for tables of its own, which are no other index's then.
    static func name(of table: String) -> String { "\(prefix)(\(table))" }

    /// The name of a trigger that keeps the index right: what it is for, and the table.
    static func trigger(_ kind: String, of table: String) -> String { "\(prefix)_\(kind)(\(table))" }

    /// The table that a trigger was made for; `nil` for one that is not ours.
    static func owner(ofTrigger name: String) -> String? {
        for kind in ["insert", "update", "delete"] {
            let start = "\(prefix)_\(kind)("
            if name.hasPrefix(start), name.hasSuffix(")") { return String(name.dropFirst(start.count).dropLast()) }
        }
        return nil
    }

    /// What all names begin with.
    static let prefix = "signal_repository_search"

    /// How many words the index would look for: a piece between spaces can be several.
    static func count(_ text: String) -> Int {
        var (count, isInWord) = (0, false)
        for scalar in text.unicodeScalars {
            let isLetter = scalar.isOfWord
            if isLetter, !isInWord { count += 1 }
            isInWord = isLetter
        }
        return count
    }

    /// The words of a person's text as FTS5 takes them: each quoted, so that no sign means anything; `nil` when there
    /// are none.
    ///
    /// A piece of signs alone is no word of the index, but for signs that are newer than its tables. So all pieces are
    /// kept, and of a prefix not only the last one has the star, but also the last one that is a word for sure.
    static func pattern(_ text: String, isPrefix: Bool) -> String? {
        let words = words(text)
        if words.isEmpty { return nil }
        var pieces = words.map(quoted)
        if isPrefix {
            let last = words.lastIndex { word in word.unicodeScalars.contains { $0.isOfWord && !$0.isMark } }
            for index in Set([last ?? pieces.count - 1, pieces.count - 1]) { pieces[index] += " *" }
        }
        return pieces.joined(separator: " ")
    }

    /// By scalars: a quotation mark with a combining mark is one character, and another one.
    private static func quoted(_ word: String) -> String {
        var quoted = "\""
        for scalar in word.unicodeScalars { quoted += scalar == "\"" ? "\"\"" : String(scalar) }
        return quoted + "\""
    }

    /// What stands between spaces; NUL would end the statement's text.
    private static func words(_ text: String) -> [String] {
        text.unicodeScalars
            .split { $0.properties.isWhitespace || $0.value < 0x20 }
            .map { String(String.UnicodeScalarView($0)) }
    }
}

extension Unicode.Scalar {
    /// Whether it is a mark on the letter before it.
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Whether the index takes it for a part of a word.
    fileprivate var isOfWord: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .privateUse:
            true
        default: isMark
        }
    }
}
