/// The rules about which code may use which modules.
enum LayeringRules {
    /// The folder whose files call SQLite.
    static let sqlite = "Sources/SignalRepository/SQLite/"
    /// The folders that spell SQL: the parts of every query, and the engine's settings and internal tables.
    static let spelling = [sqlite, "Sources/SignalRepository/SQL/"]

    /// The compiler plugin and the program that mutates sources, the only users of swift-syntax.
    static let syntactic = ["Sources/EntityMacros/", "Playground/Mutants/"]

    /// `Signals` imports neither Foundation nor SQLite, and imports Dispatch only in its schedulers.
    static func imports(_ source: SwiftSource) -> [Violation] {
        let syntax = source.imports.filter {
            !syntactic.contains(where: source.path.hasPrefix)
                && !$0.module.matches("^Swift(Syntax|Compiler|Diagnostics|Parser|Operators)").isEmpty
        }
        return signals(source)
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
            case "Foundation", "FoundationEssentials", "CSQLite", "SignalRepository":
                return Violation(path: source.path, line: line, sentence: "Signals must not import \(module).")
            case "Dispatch" where !source.path.hasPrefix("Sources/Signals/Schedulers/"):
                return Violation(path: source.path, line: line, sentence: "Only Schedulers/ may import Dispatch.")
            default:
                return nil
            }
        }
    }

    /// Only SQLite's own folder uses its names: all other code is written for any engine.
    static func sqliteNames(_ source: SwiftSource) -> [Violation] {
        guard source.path.hasPrefix("Sources/SignalRepository/"), !source.path.hasPrefix(sqlite) else { return [] }
        let pattern = #"\b(sqlite3_\w+|SQLITE_\w+|Statement|Connection)\b"#
        let names = source.code.matches(pattern).map { ($0.text, $0.line) }
        let texts = source.literals.flatMap { literal in
            literal.text.matches(#"_rowid_|\bsqlite_\w+|SQLITE_"#).map { ($0.text, literal.line) }
        }
        return (names + texts).map { name, line in
            Violation(path: source.path, line: line, sentence: "Only SQLite/ may use \(name).")
        }
    }

    /// SQL is spelled only in the folders for it, so that another engine adds a dialect and edits nothing.
    static func sqlText(_ source: SwiftSource) -> [Violation] {
        guard source.path.hasPrefix("Sources/SignalRepository/"), !spelling.contains(where: source.path.hasPrefix)
        else { return [] }
        return source.literals.filter { isSQL($0.text) }.map {
            Violation(path: source.path, line: $0.line, sentence: "SQL text belongs in SQL/ or SQLite/.")
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
