import Foundation

/// The mutants that change nothing observable, each with a reason, written by hand.
///
/// Each has a block of lines: the file, `- ` and the line of the source, `+ ` and the mutated line, and the reason. An
/// empty line separates two blocks. Lines that begin with `#` are ignored.
struct Equivalents {
    private var sentences: [String: String] = [:]

    init(_ text: String) throws {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("#") }
        for block in lines.split(whereSeparator: { $0.allSatisfy(\.isWhitespace) }) {
            let block = block.map(String.init)
            guard block.count >= 4, block[1].hasPrefix("- "), block[2].hasPrefix("+ ") else {
                throw MutantsError("a block of equivalent.txt must be a file, -, + and a reason: \(block[0])")
            }
            let key = Self.key(block[0], String(block[1].dropFirst(2)), String(block[2].dropFirst(2)))
            sentences[key] = block[3...].joined(separator: " ")
        }
    }

    init(at file: URL) throws {
        try self.init((try? String(contentsOf: file, encoding: .utf8)) ?? "")
    }

    func sentence(for mutant: Mutant) -> String? {
        sentences[Self.key(mutant.file, mutant.before, mutant.after)]
    }

    private static func key(_ file: String, _ before: String, _ after: String) -> String {
        [file, before, after].joined(separator: "\n")
    }
}
