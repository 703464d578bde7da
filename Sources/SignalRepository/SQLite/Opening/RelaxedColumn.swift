/// A column that has become optional: its table is declared without the NOT NULL, and every row stays as it is.
struct RelaxedColumn: Sendable, Equatable {
    let table: String
    let name: String

    /// Redeclares the table in the open transaction, or throws if that is not all that would change.
    func relax(on connection: Connection) throws(RepositoryError) {
        let rows = try connection.rows(
            "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", [.text(table)])
        guard case .text(let text)? = rows.first?.first, let relaxed = Self.relaxed(text, column: name) else {
            throw unreadable
        }
        var expected = try TableShape(table, text, in: connection)
        for position in expected.columns.indices where expected.columns[position].name == name {
            expected.columns[position].isOptional = true
        }
        guard try connection.redeclare([(table, relaxed)]),
            try TableShape(table, relaxed, in: connection) == expected
        else { throw unreadable }
    }

    private var unreadable: RepositoryError {
        .schemaMismatch(
            detail:
                "\(table).\(name) is declared as optional and is not, and its table is declared in a form in which it "
                + "cannot be changed: copy its rows to a new table in a Migration")
    }

    /// The declaration of a table without the NOT NULL of a column; `nil` where it has none that is found.
    static func relaxed(_ declaration: String, column: String) -> String? {
        let text = Array(declaration.utf8)
        let words = DeclarationWord.words(of: text)
        guard let open = words.firstIndex(where: { $0.text == [UInt8(ascii: "(")] }) else { return nil }
        var start = open + 1
        while start < words.count {
            let end = words[start...].firstIndex { $0.depth == 1 && $0.text == [UInt8(ascii: ",")] } ?? words.count
            if words[start].names(column) {
                return relaxed(text, words[start..<end])
            }
            start = end + 1
        }
        return nil
    }

    private static func relaxed(_ text: [UInt8], _ words: ArraySlice<DeclarationWord>) -> String? {
        let own = words.filter { $0.depth == 1 }
        let position = own.indices.dropLast().first { own[$0].says("NOT") && own[$0 + 1].says("NULL") }
        guard let position else { return nil }
        // With the space before it.
        var start = own[position].range.lowerBound
        while start > 0, text[start - 1] == UInt8(ascii: " ") { start -= 1 }
        return String(decoding: text[..<start] + text[own[position + 1].range.upperBound...], as: UTF8.self)
    }
}

/// A word, a name or a sign of a declaration, without spaces and comments.
private struct DeclarationWord {
    let range: Range<Int>
    let text: [UInt8]
    /// How many parentheses are open around it; one that opens is inside, one that closes outside.
    let depth: Int

    private var isQuoted: Bool { text.first.map { "\"'`[".utf8.contains($0) } ?? false }

    /// Whether it is a keyword.
    func says(_ keyword: String) -> Bool {
        !isQuoted && Identifier.key(String(decoding: text, as: UTF8.self)) == Identifier.key(keyword)
    }

    /// Whether it is a name, quoted or not.
    func names(_ name: String) -> Bool {
        guard isQuoted, let first = text.first, let last = text.last, text.count > 1 else { return says(name) }
        let inner = String(decoding: text.dropFirst().dropLast(), as: UTF8.self)
        let sign = String(decoding: [last], as: UTF8.self)
        let bare = first == UInt8(ascii: "[") ? inner : inner.replacing(sign + sign, with: sign)
        return Identifier.key(bare) == Identifier.key(name)
    }

    static func words(of text: [UInt8]) -> [DeclarationWord] {
        var (words, depth, position): ([DeclarationWord], Int, Int) = ([], 0, 0)
        while position < text.count {
            let end = end(of: text, from: position)
            if let end {
                if text[position] == UInt8(ascii: ")") { depth -= 1 }
                words.append(DeclarationWord(range: position..<end, text: Array(text[position..<end]), depth: depth))
                if text[position] == UInt8(ascii: "(") { depth += 1 }
                position = end
            } else {
                position = afterSpace(text, from: position)
            }
        }
        return words
    }

    /// Where the word that begins at a place ends; `nil` at a space or a comment.
    private static func end(of text: [UInt8], from start: Int) -> Int? {
        let first = text[start]
        if isSpace(first) || begins(text, start, "--") || begins(text, start, "/*") { return nil }
        if "\"'`[".utf8.contains(first) {
            let closing = first == UInt8(ascii: "[") ? UInt8(ascii: "]") : first
            var position = start + 1
            while position < text.count {
                guard text[position] == closing else {
                    position += 1
                    continue
                }
                let isDoubled = closing == first && position + 1 < text.count && text[position + 1] == closing
                if !isDoubled { return position + 1 }
                position += 2
            }
            return text.count
        }
        let end = text[start...].firstIndex { !isPartOfWord($0) } ?? text.count
        return max(end, start + 1)
    }

    /// The place after a space, or after a comment.
    private static func afterSpace(_ text: [UInt8], from start: Int) -> Int {
        let closing = begins(text, start, "--") ? "\n" : begins(text, start, "/*") ? "*/" : nil
        guard let closing else { return start + 1 }
        var position = start + 2
        while position < text.count, !begins(text, position, closing) { position += 1 }
        return min(position + closing.utf8.count, text.count)
    }

    private static func begins(_ text: [UInt8], _ position: Int, _ sign: String) -> Bool {
        text[position...].starts(with: sign.utf8)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [9, 10, 12, 13, 32].contains(byte) }

    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        byte > 127 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
            || Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
    }
}
