/// The names and the language of full-text indexes.
enum SearchIndex {
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

    /// The pieces of a person's text between spaces, of which all have to be found; empty when there are none.
    ///
    /// A piece of signs alone is no word of the index, but for signs that are newer than its tables. So all pieces are
    /// kept, and of a prefix not only the last one may go on, but also the last one that is a word for sure.
    static func pieces(_ text: String, isPrefix: Bool) -> [SearchPattern.Piece] {
        let words = words(text)
        let last = words.lastIndex { word in word.unicodeScalars.contains { $0.isOfWord && !$0.isMark } }
        let open = isPrefix ? Set([last ?? words.count - 1, words.count - 1]) : []
        return words.enumerated().map { index, word in SearchPattern.Piece(text: word, isPrefix: open.contains(index)) }
    }

    /// What stands between spaces; NUL would end the statement's text.
    private static func words(_ text: String) -> [String] {
        text.unicodeScalars
            .split { $0.properties.isWhitespace || $0.value < 0x20 }
            .map { String(String.UnicodeScalarView($0)) }
    }
}

/// What is searched for in the full-text index of a table.
package struct SearchPattern: Sendable {
    /// What stands between two spaces: one word, or several that follow each other.
    package struct Piece: Sendable {
        package let text: String
        /// Whether the last word may go on.
        package let isPrefix: Bool
    }

    package let index: String
    package let columns: [String]
    package let pieces: [Piece]
    /// The number of the kept condition in which they are searched; 0 for none.
    var keeper = 0
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
