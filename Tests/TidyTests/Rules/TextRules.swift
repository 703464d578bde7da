/// The rules for text of any kind.
enum TextRules {
    static let readmeLines = 200

    static let topLevel: Set = [
        "Package.swift", "README.md", "LICENSE", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "Makefile",
        ".swift-format", ".gitignore", ".ci", ".github", ".gitlab-ci.yml", "Documentation", "Sources", "Tests",
        "Playground",
    ]

    static func length(ofReadme readme: TextFile) -> [Violation] {
        guard readme.lineCount > readmeLines else { return [] }
        let sentence = "\(readme.lineCount) lines, at most \(readmeLines): move detail to Documentation/."
        return [Violation(path: readme.path, line: readmeLines + 1, sentence: sentence)]
    }

    /// A path of one machine means nothing on another.
    static func machinePaths(_ file: TextFile) -> [Violation] {
        let folders = ["work", "home", "root", "Users"].map { "/" + $0 + #"\b"# }
        let temporary = file.path.hasSuffix(".md") ? ["/" + #"tmp\b"#] : []
        let pattern = #"(?<![\w.~)}\]*-])(?:"# + (folders + temporary).joined(separator: "|") + ")(?:/|$|[`\"' ])"
        return file.text.matches(pattern).map {
            Violation(path: file.path, line: $0.line, sentence: "`\($0.text)` is a path of one machine.")
        }
    }

    static func topLevel(_ names: [String]) -> [Violation] {
        let strange = Set(names).subtracting(topLevel).sorted().map { "\($0) does not belong at the top level." }
        let missing = topLevel.subtracting(names).sorted().map { "\($0) is missing from the top level." }
        return (strange + missing).map { Violation(path: ".", line: 1, sentence: $0) }
    }

    /// A link within the repository leads to a file or folder that exists.
    static func deadLinks(_ file: TextFile, exists: (String) -> Bool) -> [Violation] {
        let folder = file.path.split(separator: "/").dropLast().map(String.init)
        return file.text.matches(#"\]\(([^)\s#:]+)(?:#[^)]*)?\)"#).filter {
            !exists(resolve($0.groups[0], from: folder))
        }.map {
            Violation(path: file.path, line: $0.line, sentence: "\($0.groups[0]) is not there.")
        }
    }

    /// A walk names files that exist, and at most fifteen of them, because its reader reads them all.
    static func walks(_ file: TextFile, exists: (String) -> Bool) -> [Violation] {
        file.text.matches(#"(?m)^(\d+)\. `([\w+/]+\.swift)`"#).flatMap { match -> [Violation] in
            let number = Int(match.groups[0]) ?? 0
            let isThere = WalkRules.roots.contains { exists($0 + match.groups[1]) }
            let sentences = [
                isThere ? nil : "\(match.groups[1]) is not there.",
                number > 15 ? "The walk has more than 15 files." : nil,
            ]
            return sentences.compactMap { $0 }.map { Violation(path: file.path, line: match.line, sentence: $0) }
        }
    }

    private static func resolve(_ link: String, from folder: [String]) -> String {
        var path = folder
        for part in link.split(separator: "/") where part != "." {
            if part == ".." { _ = path.popLast() } else { path.append(String(part)) }
        }
        return path.joined(separator: "/")
    }
}
