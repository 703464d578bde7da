/// A walk is a numbered list of files, in the order in which a call passes through them.
///
/// A step names its file and the functions that the call enters, in order. An indented item below a step is a detour:
/// its functions are called from that step and return there.
///
/// ```
/// 1. `Subjects/Broadcast.swift`: `send`: takes the value.
/// 2. `Internal/Engines/Hub.swift`: `send`, `process`: delivers it.
///    - `Internal/Kernels/Inbox.swift`: `enter`: keeps the others out.
/// ```
/// So a list becomes stale when a function is renamed, moved, or no longer called.
enum WalkRules {
    struct Step {
        let path: String
        let functions: [String]
        let line: Int
        let isDetour: Bool
    }

    static let roots = ["RepositoryCore", "SignalRepository", "SignalRepositoryPostgres", "Signals"]
        .map { "Sources/\($0)/" }

    /// The walks of a document whose steps name functions.
    static func walks(_ file: TextFile) -> [[Step]] {
        var walks: [[Step]] = []
        let pattern = #"(?m)^(?:(\d+)\. | {3,4}- )`([\w+/]+\.swift)`:((?:(?:,| and)? `[A-Za-z]\w*`)+:)?"#
        for match in file.text.matches(pattern) {
            let functions = match.groups[2].matches("`([^`]+)`").map(\.groups[0])
            let step = Step(
                path: match.groups[1], functions: functions, line: match.line, isDetour: match.groups[0].isEmpty)
            if match.groups[0] == "1" || walks.isEmpty { walks.append([]) }
            walks[walks.count - 1].append(step)
        }
        return walks.filter { walk in walk.contains { !$0.functions.isEmpty } }
    }

    /// Each function is in its file; the first is called in the step before, each further one there or in its own file.
    static func stale(_ file: TextFile, _ sources: [SwiftSource]) -> [Violation] {
        walks(file).flatMap { walk -> [Violation] in
            var previous: SwiftSource?
            return walk.flatMap { step -> [Violation] in
                func violation(_ sentence: String) -> Violation {
                    Violation(path: file.path, line: step.line, sentence: sentence)
                }
                let source = sources.first { source in roots.contains { source.path == $0 + step.path } }
                guard let source else { return [violation("\(step.path) is not there.")] }
                defer { if !step.isDetour { previous = source } }
                if step.functions.isEmpty { return [violation("\(step.path) names no function.")] }
                let missing = step.functions.filter { !declares($0, source) }
                let uncalled = step.functions.enumerated().filter { index, name in
                    guard let previous else { return index > 0 && !calls(name, source) }
                    return !calls(name, previous) && (index == 0 || !calls(name, source))
                }
                return missing.map { violation("`\($0)` is not in \(step.path).") }
                    + uncalled.map { violation("`\($0.element)` is not called in \(previous?.path ?? source.path).") }
            }
        }
    }

    /// Whether a file declares a name, or passes a closure under that label.
    private static func declares(_ name: String, _ source: SwiftSource) -> Bool {
        source.outline.declarations.contains { $0.name == name && $0.keyword != "extension" }
            || !source.code.matches(#"\b\#(name): \{"#).isEmpty
    }

    private static func calls(_ name: String, _ source: SwiftSource) -> Bool {
        !source.code.matches(#"(?<!func )(?<!var )(?<![\w`])\#(name)(?:\(| \{|<)|\.\#(name)\b(?!:)"#).isEmpty
    }

    /// Each type that a document names exists: `CommitLog`, or `CommitLog.State`.
    static func unknownTypes(_ file: TextFile, _ sources: [SwiftSource]) -> [Violation] {
        let known = Set(sources.flatMap(\.outline.declarations).filter { !$0.isMember }.map(\.name))
            .union(["DispatchQueue", "Signals", "Swift"])
        return file.text.matches(#"`([A-Z]\w*[a-z]\w*)(?:[.<][^`/]*)?`"#)
            .filter { !known.contains($0.groups[0]) && !$0.groups[0].hasSuffix(".swift") }
            .map { Violation(path: file.path, line: $0.line, sentence: "There is no type `\($0.groups[0])`.") }
    }
}
