/// A place in a source where a mutant stands, with what has to be written around the source's own text to put it there.
struct Site {
    let kind: Mutant.Kind
    /// The mutated text, in UTF-8.
    let range: Range<Int>
    /// What the reader is shown in the place of the range.
    let replacement: String
    /// What stands for the range itself where its text does not read well on one line.
    var original: String?
    let insertions: [Insertion]
}

/// Text that is added to a source, which never removes any and adds no line, so that every line keeps its number.
struct Insertion: Equatable {
    /// Stands for the mutant's number; no source contains it.
    static let number: Character = "\0"

    let offset: Int
    let text: String
    /// Whether it closes what another one opened: the last to be opened is the first to be closed.
    let isClosing: Bool

    static func opening(_ text: String, at offset: Int) -> Insertion {
        Insertion(offset: offset, text: text, isClosing: false)
    }

    static func closing(_ text: String, at offset: Int) -> Insertion {
        Insertion(offset: offset, text: text, isClosing: true)
    }

    func text(of number: Int) -> String { text.replacing(String(Self.number), with: String(number)) }
}
