/// The character boundaries of a UTF-8 text.
///
/// There is a boundary between any two ASCII bytes except CR LF. The text is split into characters at most once, and
/// only if a search matches next to a byte that is not ASCII.
struct CharacterEdges {
    private let text: UnsafeBufferPointer<UInt8>
    /// For each byte, whether a character begins with it; computed on first use.
    private var starts: [Bool]?
    private let byCharacters: Bool

    /// Creates the boundaries of a text; without `byCharacters`, every position counts as a boundary.
    init(_ text: UnsafeBufferPointer<UInt8>, byCharacters: Bool = true) {
        (self.text, self.byCharacters) = (text, byCharacters)
    }

    /// Whether both positions are character boundaries.
    mutating func areEdges(_ start: Int, _ end: Int) -> Bool { isEdge(start) && isEdge(end) }

    /// Whether a character ends or begins at a position.
    ///
    /// - Complexity: O(*n*) in the length of the text for the first position next to a byte that is not ASCII,
    ///   otherwise O(1).
    mutating func isEdge(_ position: Int) -> Bool {
        // A search by code points needs no check, because a valid UTF-8 pattern matches only where a code point begins.
        guard byCharacters, position > 0, position < text.count else { return true }
        let (before, after) = (text[position - 1], text[position])
        if before < 0x80, after < 0x80 { return before != UInt8(ascii: "\r") || after != UInt8(ascii: "\n") }
        let starts = starts ?? Self.starts(of: text)
        self.starts = starts
        return starts[position]
    }

    private static func starts(of text: UnsafeBufferPointer<UInt8>) -> [Bool] {
        // Another program may have written invalid UTF-8, which has no characters.
        guard let characters = String(validating: text, as: UTF8.self) else {
            return Array(repeating: true, count: text.count)
        }
        var (starts, position) = (Array(repeating: false, count: text.count), 0)
        for character in characters {
            starts[position] = true
            position += character.utf8.count
        }
        return starts
    }
}
