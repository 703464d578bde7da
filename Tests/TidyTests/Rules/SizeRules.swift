/// A function is taken in at a sight; a long file is asked whether it is two nouns, and stays whole if it is one.
enum SizeRules {
    static let fileLines = 400
    static let functionLines = 60
    static let columns = 120
    /// Files that were asked and are one noun, each with the answer.
    static let whole: [String: String] = [
        "Tests/SignalRepositoryTests/SQLiteTests/HistoryTests/StoreHistoryTests.swift": "what a kept history says"
    ]

    static func fileSize(_ source: SwiftSource) -> [Violation] {
        guard source.lineCount > fileLines, whole[source.path] == nil else { return [] }
        let sentence = "\(source.lineCount) lines: is it two nouns? If it is one, say so in SizeRules.whole."
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
