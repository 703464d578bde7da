/// The rules about which code may use which modules.
enum LayeringRules {
    /// The module that knows no engine, and its folder that writes SQL.
    static let core = "Sources/RepositoryCore/"
    static let sql = core + "SQL/"

    /// The compiler plugin and the program that mutates sources, the only users of swift-syntax.
    static let syntactic = ["Sources/EntityMacros/", "Playground/Mutants/"]

    /// `Signals` imports neither Foundation nor SQLite, and imports Dispatch only in its schedulers; `RepositoryCore`
    /// imports SQLite only to read and bind the values of a row, which is inlined into each entity's code.
    static func imports(_ source: SwiftSource) -> [Violation] {
        let syntax = source.imports.filter {
            !syntactic.contains(where: source.path.hasPrefix)
                && !$0.module.matches("^Swift(Syntax|Compiler|Diagnostics|Parser|Operators)").isEmpty
        }
        let sqlite = source.imports.filter {
            source.path.hasPrefix(core) && !source.path.hasPrefix(core + "Rows/") && $0.module.hasSuffix("SQLite")
        }
        return signals(source)
            + sqlite.map {
                Violation(path: source.path, line: $0.line, sentence: "Only Rows/ may import \($0.module).")
            }
            + syntax.map {
                Violation(
                    path: source.path, line: $0.line,
                    sentence: "Only EntityMacros and Mutants may import \($0.module).")
            }
    }

    private static func signals(_ source: SwiftSource) -> [Violation] {
        guard source.path.hasPrefix("Sources/Signals/") else { return [] }
        return source.imports.compactMap { module, line in
            switch module {
            case "Foundation", "FoundationEssentials", "CSQLite", "RepositoryCore", "SignalRepository":
                return Violation(path: source.path, line: line, sentence: "Signals must not import \(module).")
            case "Dispatch" where !source.path.hasPrefix("Sources/Signals/Schedulers/"):
                return Violation(path: source.path, line: line, sentence: "Only Schedulers/ may import Dispatch.")
            default:
                return nil
            }
        }
    }

    /// The core writes SQL in one folder, so that another engine adds a dialect and edits nothing.
    static func sqlText(_ source: SwiftSource) -> [Violation] {
        guard source.path.hasPrefix(core), !source.path.hasPrefix(sql) else { return [] }
        return source.literals.filter { isSQL($0.text) }.map {
            Violation(path: source.path, line: $0.line, sentence: "SQL text belongs in SQL/ or in an engine.")
        }
    }

    static func isSQL(_ text: String) -> Bool {
        let statements = [
            #"\bselect\b[\s\S]*\bfrom\b"#, #"\binsert\s+(or\s+\w+\s+)?into\b"#, #"\bupdate\s+\S+\s+set\b"#,
            #"\bdelete\s+from\b"#, #"\bcreate\s+((unique|temp|temporary)\s+)?(table|index|trigger|view)\b"#,
            #"\b(drop|alter)\s+(table|index|trigger|view)\b"#, #"\bpragma\s+\w"#, #"\b(order|group)\s+by\b"#,
            #"\bbegin\s+(immediate|deferred|exclusive|transaction)\b"#, #"\b(rollback|release)\s+(to|savepoint)\b"#,
        ]
        return statements.contains { !text.matches($0, caseInsensitive: true).isEmpty }
            || !text.matches(#"^\s*(BEGIN|COMMIT|ROLLBACK|VACUUM|SAVEPOINT)\b"#).isEmpty
    }

    /// The packages that only a trait needs, and the name of its condition in the manifest.
    private static let conditions = [
        "swift-syntax": "macros", "swift-log": "logging", "swift-metrics": "metrics",
        "swift-service-lifecycle": "lifecycle", "swift-crypto": "crypto",
    ]

    /// A user of the package downloads nothing else.
    ///
    /// The plugin that builds the documentation is not a dependency of users. Any other package is one only with the
    /// trait that needs it.
    static func dependencies(_ manifest: SwiftSource) -> [Violation] {
        let packages = manifest.code.matches(#"\.package\s*\("#).compactMap { match -> Violation? in
            let url = manifest.literals.first { $0.line >= match.line }?.text ?? ""
            let name = url.split(separator: "/").last.map { $0.replacing(".git", with: "") } ?? ""
            guard name != "swift-docc-plugin", conditions[String(name)] == nil else { return nil }
            return Violation(path: manifest.path, line: match.line, sentence: "The package has no other dependencies.")
        }
        let products = manifest.code.matches(#"\.product\s*\([^)]*\)"#).compactMap { match -> Violation? in
            let lines = match.line...match.line + match.text.count { $0.isNewline }
            let names = manifest.literals.filter { lines.contains($0.line) }.map { String($0.text) }
            guard let name = names.first(where: { conditions[$0] != nil }), let condition = conditions[name],
                match.text.matches(#"condition:\s*\#(condition)\b"#).isEmpty
            else { return nil }
            let sentence = "\(name) must depend on its trait: add `condition: \(condition)`."
            return Violation(path: manifest.path, line: match.line, sentence: sentence)
        }
        return packages + products
    }
}
