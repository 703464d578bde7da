/// Every option that a program can set has a row in one document.
enum OptionRules {
    static let documentation = "Documentation/Options.md"

    /// Types whose public properties and public initializers' parameters are options.
    static let settings: Set = [
        "SQLiteRepository", "PostgresRepository", "RepositoryConfiguration", "AttachedFile", "StatementLog",
        "EncryptionKey",
        "Backoff",
    ]
    /// Types whose public cases, values and functions are options.
    static let choices: Set = ["StoreLocation", "StoreAccess", "StoreDurability", "StoreHistory", "LiveSource"]

    struct Option: Equatable {
        /// `label:` of a parameter, `name` of a property, `.name` of a choice, `Name` of a trait.
        let name: String
        let line: Int
    }

    static func options(_ source: SwiftSource) -> [Option] {
        let declarations = source.outline.declarations.filter { $0.isPublic && !$0.isLocal }
        let values = source.code.matches(#"^ *(?:case|public static let) (\w+)"#)
        // A computed property cannot be set, so it is not an option.
        let stored = Set(source.code.matches(#"^ *public var \w+[^{=\n]*(?:=.*)?$"#).map(\.line))
        let found = declarations.flatMap { declaration -> [Option] in
            let owner = declaration.container.last ?? ""
            switch declaration.keyword {
            case "init" where settings.contains(owner):
                let labels = declaration.labels.filter { $0 != "_" }
                return labels.map { Option(name: $0 + ":", line: declaration.line) }
            case "var" where settings.contains(owner) && stored.contains(declaration.line):
                return [Option(name: declaration.name, line: declaration.line)]
            case "func" where choices.contains(owner) && declaration.modifiers.contains("static"):
                return [Option(name: "." + declaration.name, line: declaration.line)]
            case "enum" where choices.contains(declaration.name),
                "struct" where choices.contains(declaration.name):
                let inner = source.outline.declarations.filter { $0.container.last == declaration.name && !$0.isMember }
                return values.filter { value in
                    (declaration.line...declaration.lastLine).contains(value.line)
                        && !inner.contains { ($0.line...$0.lastLine).contains(value.line) }
                }.map { Option(name: "." + $0.groups[0], line: $0.line) }
            default: return []
            }
        }
        return found + traits(source)
    }

    private static func traits(_ source: SwiftSource) -> [Option] {
        guard source.path == "Package.swift" else { return [] }
        return source.text.matches(#"\.trait\(\s*name: "(\w+)""#).map { Option(name: $0.groups[0], line: $0.line) }
    }

    /// Each option has a row that begins with its name, and no row explains an option that does not exist.
    static func rows(_ sources: [SwiftSource], documentation text: String) -> [Violation] {
        let found = sources.flatMap { source in options(source).map { (path: source.path, option: $0) } }
        let names = Set(found.map(\.option.name))
        let listed = MirrorRules.rows(of: text).flatMap { row in
            row.firstCell.matches("`([^`]+)`").map { (name: $0.groups[0], row: row) }
        }
        let missing = found.filter { item in !listed.contains { $0.name == item.option.name } }.map {
            let sentence = "\(documentation) has no row for `\($0.option.name)`."
            return Violation(path: $0.path, line: $0.option.line, sentence: sentence)
        }
        // A row such as "`batch` of `insert(from:batch:)`" is about a single call.
        let strays = listed.filter { !$0.row.firstCell.contains(" of ") && !names.contains($0.name) }.map {
            Violation(path: documentation, line: $0.row.line, sentence: "There is no option `\($0.name)`.")
        }
        return missing + strays
    }
}
