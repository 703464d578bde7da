/// The position of a mutant in a source, with the text to insert for it.
struct Site {
    let kind: Mutant.Kind
    /// The mutated text, in UTF-8.
    let range: Range<Int>
    /// The text that is shown in place of the range.
    let replacement: String
    /// The text that is shown for the range itself, if its own text does not read well on one line.
    var original: String?
    let insertions: [Insertion]
}

/// Text to insert into a source, without a line break, so that every line keeps its number.
struct Insertion: Equatable {
    /// The placeholder of the mutant's number, which no source contains.
    static let number: Character = "\0"

    let offset: Int
    let text: String
    /// Whether it closes another insertion: the last one opened is closed first.
    let isClosing: Bool

    static func opening(_ text: String, at offset: Int) -> Insertion {
        Insertion(offset: offset, text: text, isClosing: false)
    }

    static func closing(_ text: String, at offset: Int) -> Insertion {
        Insertion(offset: offset, text: text, isClosing: true)
    }

    func text(of number: Int) -> String { text.replacing(String(Self.number), with: String(number)) }
}
