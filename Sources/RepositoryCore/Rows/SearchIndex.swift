/// The names of full-text indexes, and the parsing of search text.
package enum SearchIndex {
    static let maxWords = 64

    /// The maximum length of a search text in bytes.
    static let maxBytes = 4_096

    /// Returns the name of a table's full-text index.
    ///
    /// The parenthesis at its end keeps it distinct from the shadow tables that FTS5 creates for other indexes.
    package static func name(of table: String) -> String { "\(prefix)(\(table))" }

    /// Returns the name of a trigger that updates a table's full-text index.
    package static func trigger(_ kind: String, of table: String) -> String { "\(prefix)_\(kind)(\(table))" }

    /// Returns the table of a trigger that this library made for a full-text index; `nil` for any other trigger.
    package static func owner(ofTrigger name: String) -> String? {
        for kind in ["insert", "update", "delete"] {
            let start = "\(prefix)_\(kind)("
            if name.hasPrefix(start), name.hasSuffix(")") { return String(name.dropFirst(start.count).dropLast()) }
        }
        return nil
    }

    static let prefix = "signal_repository_search"

    /// Returns the given tables without their full-text indexes, because an index changes only together with its table.
    static func removingIndexes(from tables: Set<String>) -> Set<String> {
        tables.contains { $0.hasPrefix(prefix) } ? tables.subtracting(tables.map { name(of: $0) }) : tables
    }

    /// Returns the number of words into which the index divides a search text.
    ///
    /// Text between two spaces can contain several words.
    static func count(_ text: String) -> Int {
        var (count, isInWord) = (0, false)
        for scalar in text.unicodeScalars {
            let isLetter = scalar.isOfWord
            if isLetter, !isInWord { count += 1 }
            isInWord = isLetter
        }
        return count
    }

    /// Splits a search text at spaces into pieces, all of which a row must contain.
    ///
    /// The index ignores a piece without letters and digits. This function cannot know which pieces those are, because
    /// the index counts characters that are newer than its Unicode tables as letters, so it keeps every piece. For a
    /// prefix search, it marks the last piece and, as the index may ignore it, the last that certainly has a word.
    static func pieces(_ text: String, isPrefix: Bool) -> [SearchPattern.Piece] {
        let words = words(text)
        let last = words.lastIndex { word in word.unicodeScalars.contains { $0.isOfWord && !$0.isMark } }
        let open = isPrefix ? Set([last ?? words.count - 1, words.count - 1]) : []
        return words.enumerated().map { index, word in SearchPattern.Piece(text: word, isPrefix: open.contains(index)) }
    }

    /// Splits a text at spaces and control characters, such as NUL, which would end the text of the statement.
    private static func words(_ text: String) -> [String] {
        text.unicodeScalars
            .split { $0.properties.isWhitespace || $0.value < 0x20 }
            .map { String(String.UnicodeScalarView($0)) }
    }
}

/// A search in the full-text index of a table.
package struct SearchPattern: Sendable {
    /// The text between two spaces: one word, or several consecutive words.
    package struct Piece: Sendable {
        package let text: String
        /// Whether the last word is a prefix.
        package let isPrefix: Bool
    }

    package let index: String
    package let columns: [String]
    package let pieces: [Piece]
    /// The number of the standalone condition (one written outside a query) that contains the search; 0 for none.
    var keeper = 0
    /// Whether the statement reads only a few rows, so that testing each row costs less than finding all matches.
    package var isByRow = false

    /// The table whose text the index contains.
    package var table: String { String(index.dropFirst(SearchIndex.prefix.count + 1).dropLast()) }
}

extension Unicode.Scalar {
    /// Whether the scalar is a combining mark.
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Whether the index treats the scalar as part of a word.
    fileprivate var isOfWord: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .privateUse:
            true
        default: isMark
        }
    }
}
