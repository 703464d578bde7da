/// Public declarations are listed under a topic of their module's documentation, where a reader looks for them.
///
/// DocC lists the rest by kind, in alphabetical order.
enum TopicRules {
    static let modules = ["Signals", "SignalRepository"]

    /// The type of each module that has its own page, which lists all of its functions.
    static let types = ["Signals": "Signal", "SignalRepository": "Repository"]

    static func page(_ name: String, of module: String) -> String {
        Project.text("Sources/\(module)/\(module).docc/\(name).md") ?? ""
    }

    /// Functions that no page names, each with its reason.
    static let unlisted = ["makeAsyncIterator": "unavailable: its message says to loop over the signal's values"]

    /// The names under the topics of a page: of a function, the word before its labels.
    static func topics(_ page: String) -> Set<String> {
        let parts = page.components(separatedBy: "\n## Topics\n")
        guard parts.count == 2 else { return [] }
        return Set(parts[1].matches(#"(?m)^- ``([^`(]+)[^`]*``$"#).map { $0.groups[0] })
    }

    /// Each public type is listed on the page of its module.
    static func types(_ source: SwiftSource, module: String, topics: Set<String>) -> [Violation] {
        let kinds: Set = ["struct", "class", "enum", "protocol", "actor", "typealias"]
        return source.outline.declarations
            .filter { kinds.contains($0.keyword) && $0.container.isEmpty && $0.isPublic && !topics.contains($0.name) }
            .map { violation($0, $0.name, source, page: "\(module).docc/\(module).md") }
    }

    /// Each public function of the type that has its own page is listed there.
    static func functions(of type: String, _ source: SwiftSource, module: String, topics: Set<String>) -> [Violation] {
        let declarations = source.outline.declarations
        let openExtensions = declarations.filter { $0.keyword == "extension" && $0.isPublic }
        return
            declarations
            .filter { declaration in
                declaration.keyword == "func" && !declaration.isLocal && declaration.container == [type]
                    && declaration.modifiers.isDisjoint(with: ["private", "fileprivate", "internal", "package"])
                    && (declaration.isPublic
                        || openExtensions.contains { ($0.line...$0.lastLine).contains(declaration.line) })
            }
            .filter { declaration in
                let name = declaration.name.replacing("`", with: "")
                return !topics.contains(name) && unlisted[name] == nil
            }
            .map { violation($0, $0.signature, source, page: "\(module).docc/\(type).md") }
    }

    private static func violation(
        _ declaration: Outline.Declaration, _ name: String, _ source: SwiftSource, page: String
    ) -> Violation {
        let sentence = "`\(name)` is not listed under a topic: add it to \(page)."
        return Violation(path: source.path, line: declaration.line, sentence: sentence)
    }
}
