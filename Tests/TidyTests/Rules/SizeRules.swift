/// A reader takes in a file or a function at a sight; what does not fit is two things.
enum SizeRules {
    static let operatorLines = 120
    static let fileLines = 300
    static let functionLines = 60
    static let columns = 120

    static func fileSize(_ source: SwiftSource) -> [Violation] {
        let limit = source.path.hasPrefix("Sources/Signals/Operators/") ? operatorLines : fileLines
        guard source.lineCount > limit else { return [] }
        return [Violation(path: source.path, line: limit + 1, sentence: "\(source.lineCount) lines, at most \(limit).")]
    }

    static func functionSize(_ source: SwiftSource) -> [Violation] {
        source.outline.declarations
            .filter {
                ["func", "init", "deinit", "subscript", "var"].contains($0.keyword) && $0.bodyLineCount > functionLines
            }
            .map {
                let sentence = "`\($0.name)` has \($0.bodyLineCount) lines, at most \(functionLines)."
                return Violation(path: source.path, line: $0.line, sentence: sentence)
            }
    }

    static func lineLength(_ source: SwiftSource) -> [Violation] {
        source.lines.enumerated().filter { $0.element.count > columns }.map {
            let sentence = "\($0.element.count) columns, at most \(columns)."
            return Violation(path: source.path, line: $0.offset + 1, sentence: sentence)
        }
    }
}
