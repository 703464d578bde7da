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
        for place in expected.columns.indices where expected.columns[place].name == name {
            expected.columns[place].isOptional = true
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
        let place = own.indices.dropLast().first { own[$0].says("NOT") && own[$0 + 1].says("NULL") }
        guard let place else { return nil }
        // With the space before it.
        var start = own[place].range.lowerBound
        while start > 0, text[start - 1] == UInt8(ascii: " ") { start -= 1 }
        return String(decoding: text[..<start] + text[own[place + 1].range.upperBound...], as: UTF8.self)
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
        var (words, depth, place): ([DeclarationWord], Int, Int) = ([], 0, 0)
        while place < text.count {
            let end = end(of: text, from: place)
            if let end {
                if text[place] == UInt8(ascii: ")") { depth -= 1 }
                words.append(DeclarationWord(range: place..<end, text: Array(text[place..<end]), depth: depth))
                if text[place] == UInt8(ascii: "(") { depth += 1 }
                place = end
            } else {
                place = afterSpace(text, from: place)
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
            var place = start + 1
            while place < text.count {
                guard text[place] == closing else {
                    place += 1
                    continue
                }
                let isDoubled = closing == first && place + 1 < text.count && text[place + 1] == closing
                if !isDoubled { return place + 1 }
                place += 2
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
        var place = start + 2
        while place < text.count, !begins(text, place, closing) { place += 1 }
        return min(place + closing.utf8.count, text.count)
    }

    private static func begins(_ text: [UInt8], _ place: Int, _ sign: String) -> Bool {
        text[place...].starts(with: sign.utf8)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [9, 10, 12, 13, 32].contains(byte) }

    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        byte > 127 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
            || Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
    }
}
