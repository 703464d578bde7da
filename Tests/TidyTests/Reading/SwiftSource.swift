import Foundation

/// A Swift file and its views.
struct SwiftSource: Sendable {
    /// Relative to the root of the repository.
    let path: String
    let text: String
    /// The text without its comments and without the contents of string literals.
    let code: String
    /// The text of its comments alone.
    let comments: String
    let literals: [SwiftScanner.Literal]
    let lines: [String]
    let outline: Outline

    init(path: String, text: String) {
        let scanner = SwiftScanner(text)
        self.path = path
        self.text = text
        code = scanner.codeText
        comments = scanner.commentText
        literals = scanner.literals
        outline = Outline(code: scanner.codeText)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    var name: String { String((path.split(separator: "/").last ?? "").dropLast(".swift".count)) }
    /// The number of lines; a closing line break does not begin another one.
    var lineCount: Int { lines.last == "" ? lines.count - 1 : lines.count }

    /// The modules that it imports.
    var imports: [(module: String, line: Int)] {
        code.matches(#"^\s*(?:@\w+\s+|public |internal |package |private )*import\s+(?:\w+\s+)??(\w+)(?:\.\w+)*\s*$"#)
            .map { ($0.groups[0], $0.line) }
    }

    /// The documentation above a line: its `///` lines, looking past attributes.
    func documentation(above line: Int) -> [String] {
        var found: [String] = []
        for text in lines.prefix(line - 1).reversed() {
            let trimmed = text.trimmingCharacters(in: .whitespaces)
            if trimmed.hasPrefix("///") {
                found.insert(trimmed, at: 0)
            } else if !trimmed.hasPrefix("@") {
                break
            }
        }
        return found
    }
}

struct TextMatch {
    let text: String
    let groups: [String]
    /// Counted from 1.
    let line: Int
}

extension String {
    /// Finds the matches of a regular expression; `^` and `$` match at the ends of a line.
    func matches(_ pattern: String, caseInsensitive: Bool = false) -> [TextMatch] {
        let options: NSRegularExpression.Options =
            caseInsensitive ? [.anchorsMatchLines, .caseInsensitive] : .anchorsMatchLines
        guard let expression = try? NSRegularExpression(pattern: pattern, options: options) else {
            preconditionFailure("\(pattern) is not a regular expression.")
        }
        let whole = self as NSString
        var line = 1
        var counted = 0
        return expression.matches(in: self, range: NSRange(location: 0, length: whole.length)).map { match in
            let start = match.range.location
            line += whole.substring(with: NSRange(location: counted, length: start - counted)).utf8.count {
                $0 == .newline
            }
            counted = start
            let groups = (1..<max(match.numberOfRanges, 1)).map { index in
                let range = match.range(at: index)
                return range.location == NSNotFound ? "" : whole.substring(with: range)
            }
            return TextMatch(text: whole.substring(with: match.range), groups: groups, line: line)
        }
    }
}
