/// The places in a text where one character ends and another begins.
///
/// Between two letters of ASCII there is always one. Only a search that matches next to other bytes has the text read
/// by its characters, once.
struct CharacterEdges {
    private let text: UnsafeBufferPointer<UInt8>
    /// Whether a character begins at a byte; `nil` before it is asked for.
    private var starts: [Bool]?
    private let areWhole: Bool

    /// Takes a text, in which characters are whole, or else as many as their code points.
    init(_ text: UnsafeBufferPointer<UInt8>, areWhole: Bool = true) {
        (self.text, self.areWhole) = (text, areWhole)
    }

    /// Whether whole characters lie between two places.
    mutating func areEdges(_ start: Int, _ end: Int) -> Bool { isEdge(start) && isEdge(end) }

    /// Whether a character ends or begins at a place.
    ///
    /// - Complexity: O(*n*) in the length of the text for the first place next to other bytes than those of ASCII,
    ///   otherwise O(1).
    mutating func isEdge(_ position: Int) -> Bool {
        // What is Unicode is found in Unicode where a code point begins, and nowhere else.
        guard areWhole, position > 0, position < text.count else { return true }
        let (before, after) = (text[position - 1], text[position])
        if before < 0x80, after < 0x80 { return before != UInt8(ascii: "\r") || after != UInt8(ascii: "\n") }
        let starts = starts ?? Self.starts(of: text)
        self.starts = starts
        return starts[position]
    }

    private static func starts(of text: UnsafeBufferPointer<UInt8>) -> [Bool] {
        // Bytes that are no text have no characters: another program has written them.
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
