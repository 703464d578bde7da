/// The documentation explains every error that a caller can receive.
enum ErrorRules {
    static let source = "Sources/RepositoryCore/Errors/RepositoryError.swift"
    static let documentation = "Documentation/Errors.md"

    /// The names of an enumeration's cases, in the order of the source.
    static func cases(_ source: SwiftSource) -> [(name: String, line: Int)] {
        source.code.matches(#"^\s*(?:indirect )?case (\w+)\s*(?:\(|$)"#).map { ($0.groups[0], $0.line) }
    }

    /// Each case has one row, which begins with its name, and no row explains a case that does not exist.
    static func rows(_ source: SwiftSource, documentation text: String) -> [Violation] {
        let cases = cases(source)
        let rows = MirrorRules.rows(of: text).flatMap { row in
            row.firstCell.matches("`([^`]+)`").map { (name: $0.groups[0], line: row.line) }
        }
        let missing = cases.filter { error in rows.count { $0.name == error.name } != 1 }.map {
            Violation(path: source.path, line: $0.line, sentence: "\(documentation) needs one row for `\($0.name)`.")
        }
        let strays = rows.filter { row in !cases.contains { $0.name == row.name } }.map {
            Violation(path: documentation, line: $0.line, sentence: "There is no error `\($0.name)`.")
        }
        return missing + strays
    }
}
