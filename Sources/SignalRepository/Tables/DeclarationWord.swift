/// A token of an SQL declaration: a word, a name or a sign.
///
/// Spaces and comments are not tokens.
struct DeclarationWord {
    let range: Range<Int>
    let text: [UInt8]
    /// The number of parentheses around the token; for a parenthesis, its own pair does not count.
    let depth: Int

    private var isQuoted: Bool { text.first.map { "\"'`[".utf8.contains($0) } ?? false }

    func says(_ keyword: String) -> Bool {
        !isQuoted && Identifier.key(String(decoding: text, as: UTF8.self)) == Identifier.key(keyword)
    }

    var bareName: String {
        guard isQuoted, let first = text.first, let last = text.last, text.count > 1 else {
            return String(decoding: text, as: UTF8.self)
        }
        // Compares bytes, because a quotation mark with a combining mark is a different `Character`.
        var (inner, isSecond): ([UInt8], Bool) = ([], false)
        for byte in text.dropFirst().dropLast() {
            isSecond = byte == last && first != UInt8(ascii: "[") && !isSecond && inner.last == last
            if !isSecond { inner.append(byte) }
        }
        return String(decoding: inner, as: UTF8.self)
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

    /// Returns the end of the token that begins at an index, or `nil` at a space or a comment.
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

    /// Returns the index after a space, or after a comment.
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
