import Foundation

/// A block of Swift in the documentation: between ```` ```swift ```` and ```` ``` ````, in a document or in a comment.
struct Example: Equatable, Sendable {
    let path: String
    /// The line of its first line of code, counted from 1.
    let line: Int
    let code: [String]

    /// Whether it declares a model with `@Entity`.
    var usesMacros: Bool { imports.contains("import SignalRepositoryMacros") }

    /// Whether it needs a package that these tests do not have.
    var usesCrypto: Bool { imports.contains("import SignalRepositoryCrypto") }

    /// Whether it must be at file scope: an extension, protocol, operator, `@main`, `@Entity` or `@Observable` type.
    var needsFileScope: Bool {
        code.contains { line in
            [
                "extension ", "protocol ", "public extension ", "public protocol ", "infix operator", "@main",
                "@Entity", "@Observable",
            ].contains { line.hasPrefix($0) }
        }
    }

    /// The import lines, which must be at the top of a file.
    var imports: [String] { code.filter(Self.isImport) }

    /// The code without its imports, line for line.
    var body: [String] { code.map { Self.isImport($0) ? "" : $0 } }

    /// Whether a source contains the lines one after another, with any indentation.
    func isPart(of source: SwiftSource) -> Bool {
        let lines = source.lines.map { $0.trimmingCharacters(in: .whitespaces) }
        let sought = code.map { $0.trimmingCharacters(in: .whitespaces) }
        guard let first = sought.first else { return false }
        return lines.indices.contains { place in
            lines[place] == first && lines[place...].prefix(sought.count).elementsEqual(sought)
        }
    }

    private static func isImport(_ line: String) -> Bool {
        line.hasPrefix("import ") || line.hasPrefix("@testable import ")
    }

    static func blocks(in document: TextFile) -> [Example] {
        let lines = document.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return blocks(lines: lines, path: document.path)
    }

    /// The blocks of the documentation comments of a source.
    static func blocks(in source: SwiftSource) -> [Example] {
        let lines = source.lines.map { line in
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            guard trimmed.hasPrefix("///") else { return "" }
            let comment = trimmed.dropFirst(3)
            return String(comment.first == " " ? comment.dropFirst() : comment)
        }
        return blocks(lines: lines, path: source.path)
    }

    private static func blocks(lines: [String], path: String) -> [Example] {
        var found: [Example] = []
        var open: (line: Int, indentation: Int, code: [String])?
        for (index, text) in lines.enumerated() {
            let trimmed = text.trimmingCharacters(in: .whitespaces)
            if let block = open, trimmed == "```" {
                found.append(Example(path: path, line: block.line, code: block.code))
                open = nil
            } else if let block = open {
                let indentation = text.prefix(block.indentation).prefix { $0 == " " }.count
                open?.code.append(String(text.dropFirst(indentation)))
            } else if trimmed == "```swift" {
                open = (index + 2, text.prefix { $0 == " " }.count, [])
            }
        }
        return found
    }
}
