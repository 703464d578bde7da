import SwiftOperators
import SwiftParser
import SwiftSyntax

/// A source with all its mutants, each behind the switch.
struct SourceFile {
    /// The path relative to the package.
    let path: String
    let mutants: [Mutant]
    private let bytes: [UInt8]
    private let sites: [Site]
    private let preparations: [Insertion]
    private let blocks: [Range<Int>]

    /// Parses a source; its mutants are numbered from `first`.
    init(path: String, text: String, first: Int, operators: OperatorTable = .standardOperators) {
        self.path = path
        let bytes = Array(text.utf8)
        self.bytes = bytes
        let tree = Parser.parse(source: text)
        // An expression with an unknown operator is not folded, and gets no mutants.
        let folded = operators.foldAll(tree) { _ in }
        let finder = MutantFinder.find(in: folded, bytes: bytes)
        (sites, preparations, blocks) = (finder.sites, finder.preparations, finder.blocks)
        var seen: [String: Int] = [:]
        mutants = zip(finder.sites, first...).map { site, number in
            let (line, before, after) = Self.description(of: site, in: bytes)
            var mutant = Mutant(
                number: number, file: path, line: line, kind: site.kind, before: before, after: after, occurrence: 0)
            seen[mutant.key, default: 0] += 1
            mutant.occurrence = seen[mutant.key, default: 0] - 1
            return mutant
        }
    }

    /// The text with all mutants except the dropped ones; its first line imports `module`.
    func mutated(dropping dropped: Set<Int>, importing module: String? = nil) -> String {
        var text = pieces(dropping: dropped).map(\.text).joined()
        if let module { text = "import \(module); " + text }
        return text
    }

    /// The mutants that a compiler message may be about: the narrowest remaining ones around it.
    ///
    /// Line and column refer to the mutated text, and begin at 1.
    func suspects(line: Int, column: Int, dropping dropped: Set<Int>, importing module: String? = nil) -> [Int] {
        let lead = line == 1 ? module.map { "import \($0); ".utf8.count } ?? 0 : 0
        switch origin(line: line, column: column - lead, dropping: dropped) {
        case .mutant(let number): return [number]
        case .source(let offset):
            let left = zip(mutants, sites).filter { !dropped.contains($0.0.number) }
            let around = left.filter { $0.1.range.contains(offset) }
            if let smallest = around.map(\.1.range.count).min() {
                return around.filter { $0.1.range.count == smallest }.map(\.0.number)
            }
            for block in blocks.filter({ $0.contains(offset) || $0.upperBound == offset }).sorted(by: narrower) {
                let inside = left.filter { block.clamped(to: $0.1.range) == $0.1.range }
                // A message about a whole body is about its statements, including its exits.
                let statements = inside.filter { Self.statements.contains($0.1.kind) }
                if !inside.isEmpty { return (statements.isEmpty ? inside : statements).map(\.0.number) }
            }
            return left.map(\.0.number)
        }
    }

    private static let statements: Set<Mutant.Kind> = [.leftOut, .released, .returned, .swapped]

    private func narrower(_ one: Range<Int>, _ other: Range<Int>) -> Bool { one.count < other.count }

    // The mutated text, piece by piece.

    private struct Piece {
        let text: String
        /// The mutant that added it; nil for the source's own text.
        var mutant: Int?
        /// The offset at which the source's own text begins.
        var offset = 0
    }

    private func pieces(dropping dropped: Set<Int>) -> [Piece] {
        var insertions: [(insertion: Insertion, number: Int, order: Int)] = []
        for preparation in preparations { insertions.append((preparation, 0, insertions.count)) }
        for (mutant, site) in zip(mutants, sites) where !dropped.contains(mutant.number) {
            for insertion in site.insertions { insertions.append((insertion, mutant.number, insertions.count)) }
        }
        // At one offset, insertions close in reverse order, and all of them before any opens.
        insertions.sort { one, other in
            if one.insertion.offset != other.insertion.offset { return one.insertion.offset < other.insertion.offset }
            if one.insertion.isClosing != other.insertion.isClosing { return one.insertion.isClosing }
            return one.insertion.isClosing ? one.order > other.order : one.order < other.order
        }
        var pieces: [Piece] = []
        var position = 0
        for (insertion, number, _) in insertions {
            pieces.append(source(position..<insertion.offset))
            pieces.append(Piece(text: insertion.text(of: number), mutant: number))
            position = insertion.offset
        }
        return pieces + [source(position..<bytes.count)]
    }

    private func source(_ range: Range<Int>) -> Piece {
        Piece(text: String(decoding: bytes[range], as: UTF8.self), offset: range.lowerBound)
    }

    private enum Origin {
        case mutant(Int)
        case source(Int)
    }

    private func origin(line: Int, column: Int, dropping dropped: Set<Int>) -> Origin {
        var (currentLine, currentColumn) = (1, 1)
        for piece in pieces(dropping: dropped) {
            var offset = piece.offset
            for byte in piece.text.utf8 {
                if (currentLine, currentColumn) >= (line, column) {
                    if let mutant = piece.mutant, mutant > 0 { return .mutant(mutant) }
                    return .source(offset)
                }
                offset += 1
                currentColumn += 1
                if byte == UInt8(ascii: "\n") { (currentLine, currentColumn) = (currentLine + 1, 1) }
            }
        }
        return .source(bytes.count)
    }

    // The lines that are shown.

    private static func description(of site: Site, in bytes: [UInt8]) -> (line: Int, before: String, after: String) {
        let newline = UInt8(ascii: "\n")
        let start = bytes[..<site.range.lowerBound].lastIndex(of: newline).map { $0 + 1 } ?? 0
        let line = bytes[..<start].count { $0 == newline } + 1
        let end = bytes[site.range.upperBound...].firstIndex(of: newline) ?? bytes.count
        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        let (lead, rest) = (text(start..<site.range.lowerBound), text(site.range.upperBound..<end))
        let before = short(lead + (site.original ?? text(site.range)) + rest)
        let after = short(lead + site.replacement + rest)
        return (line, before, after.isEmpty ? "(left out)" : after)
    }

    /// The text on one line, cut to two lines of a terminal.
    private static func short(_ text: String) -> String {
        let words = text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        return words.count > 160 ? words.prefix(159) + "…" : words
    }
}
