import Foundation

/// The files of this repository.
enum Project {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every Swift file of the project, scanned once, except those that a tutorial shows.
    static let swiftSources: [SwiftSource] = files.filter {
        $0.hasSuffix(".swift") && !$0.hasPrefix("Documentation/Tutorials/")
    }
    .compactMap { path in text(path).map { SwiftSource(path: path, text: $0) } }

    static func sources(under folder: String) -> [SwiftSource] {
        swiftSources.filter { $0.path.hasPrefix(folder) }
    }

    static let sources = swiftSources.filter {
        $0.path.hasPrefix("Sources/") || $0.path.hasPrefix("Playground/") && $0.path.contains("/Sources/")
    }

    static let tests = swiftSources.filter {
        $0.path.hasPrefix("Tests/") || $0.path.hasPrefix("Playground/") && $0.path.contains("/Tests/")
    }

    static let markdown: [TextFile] = files.filter { $0.hasSuffix(".md") }.compactMap(file)

    /// Every text file: sources, documents, and the files that build and check them.
    static let texts: [TextFile] = files.compactMap(file)

    /// Sorted paths relative to the root, without ignored files, and without hidden ones below the top level.
    static let files: [String] = {
        topLevel.flatMap { entry -> [String] in
            guard let inside = FileManager.default.subpaths(atPath: root.appending(path: entry).path) else {
                return [entry]
            }
            return inside.isEmpty ? [entry] : inside.filter { isManaged($0) }.map { entry + "/" + $0 }
        }
        .filter { isFile($0) }
        .sorted()
    }()

    /// The names at the top level, without those that `.gitignore` excludes.
    static let topLevel: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        return names.filter { $0 != ".git" && !isIgnored($0) }.sorted()
    }()

    static func text(_ path: String) -> String? {
        try? String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    static func file(_ path: String) -> TextFile? {
        text(path).map { TextFile(path: path, text: $0) }
    }

    private static func isFile(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: root.appending(path: path).path, isDirectory: &isDirectory)
            && !isDirectory.boolValue
    }

    private static func isManaged(_ path: String) -> Bool {
        path.split(separator: "/").allSatisfy { !$0.hasPrefix(".") && !isIgnored(String($0)) }
    }

    private static let ignored = (text(".gitignore") ?? "").split(separator: "\n").map(String.init)

    private static func isIgnored(_ name: String) -> Bool {
        ignored.contains { TextFile.glob($0, matches: name) }
    }
}

/// A text file, of any kind.
struct TextFile: Sendable {
    let path: String
    let text: String

    var lineCount: Int {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(text.hasSuffix("\n") ? 1 : 0).count
    }

    /// Returns whether a pattern of `.gitignore` matches the name of a file or folder; `*` matches anything.
    static func glob(_ pattern: String, matches name: String) -> Bool {
        let bare = pattern.hasSuffix("/") ? String(pattern.dropLast()) : pattern
        let expression = NSRegularExpression.escapedPattern(for: bare).replacingOccurrences(of: "\\*", with: ".*")
        return !bare.isEmpty && !name.matches("^" + expression + "$").isEmpty
    }
}

/// One place where a rule does not hold, with a sentence that says what to do.
struct Violation: Equatable, CustomStringConvertible {
    let path: String
    let line: Int
    let sentence: String

    var description: String { "\(path):\(line): \(sentence)" }
}
