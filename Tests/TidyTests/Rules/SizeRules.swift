/// A function fits on a screen; a long file is split, unless it describes a single noun.
enum SizeRules {
    static let fileLines = 400
    static let functionLines = 60
    static let columns = 120
    /// Long files that describe a single noun, each with the noun.
    static let whole: [String: String] = [
        "Tests/SignalRepositoryTests/SQLiteTests/HistoryTests/StoreHistoryTests.swift": "the content of a kept history"
    ]

    static func fileSize(_ source: SwiftSource) -> [Violation] {
        guard source.lineCount > fileLines, whole[source.path] == nil else { return [] }
        let sentence = "\(source.lineCount) lines: split the file, or name its single noun in SizeRules.whole."
        return [Violation(path: source.path, line: fileLines + 1, sentence: sentence)]
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
