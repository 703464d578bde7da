/// One concept: one source, one test file, one row in the documentation.
enum MirrorRules {
    static let operators = "Sources/Signals/Operators/"
    static let endpoints = "Sources/RepositoryCore/Endpoints/"
    static let endpointTests = "Tests/SignalRepositoryTests/"

    /// `Operators/Map.swift` has `OperatorTests/MapTests.swift` and a row of `Operators.md` that links it.
    static func operatorMirrors(sources: [String], tests: [String], documentation: String) -> [Violation] {
        let rows = rows(of: documentation)
        let files = sources.filter { $0.hasPrefix(operators) }
        let mirrors = files.flatMap { path -> [Violation] in
            let name = path.dropFirst(operators.count).dropLast(".swift".count)
            let test = "Tests/SignalsTests/OperatorTests/\(name)Tests.swift"
            let link = "](../\(path))"
            return (tests.contains(test) ? [] : [Violation(path: path, line: 1, sentence: "\(test) is missing.")])
                + (rows.contains { $0.text.contains(link) }
                    ? []
                    : [Violation(path: path, line: 1, sentence: "Documentation/Operators.md has no row with \(link).")])
        }
        let strays = tests.filter { $0.hasPrefix("Tests/SignalsTests/OperatorTests/") && $0.hasSuffix("Tests.swift") }
            .filter { test in
                let name = test.split(separator: "/").last?.dropLast("Tests.swift".count) ?? ""
                return !files.contains("\(operators)\(name).swift")
            }
            .map { Violation(path: $0, line: 1, sentence: "It belongs to no file of \(operators).") }
        return mirrors + strays
    }

    /// An operator returns a `Signal`, and adds no public type.
    static func operatorTypes(_ source: SwiftSource) -> [Violation] {
        guard source.path.hasPrefix(operators) else { return [] }
        return source.outline.declarations.filter { ["struct", "class", "actor"].contains($0.keyword) && $0.isPublic }
            .map {
                Violation(path: source.path, line: $0.line, sentence: "`\($0.name)`: an operator adds no public type.")
            }
    }

    /// Every public endpoint of `Repository` in one file.
    static func publicEndpoints(_ source: SwiftSource) -> [Outline.Declaration] {
        guard source.path.hasPrefix(endpoints) else { return [] }
        let declarations = source.outline.declarations
        let openExtensions = declarations.filter { $0.keyword == "extension" && $0.isPublic }
        return declarations.filter { declaration in
            declaration.keyword == "func" && !declaration.isLocal && declaration.container == ["Repository"]
                && (declaration.isPublic
                    || openExtensions.contains { ($0.line...$0.lastLine).contains(declaration.line) }
                        && declaration.modifiers.isDisjoint(with: ["private", "fileprivate", "internal", "package"]))
        }
    }

    /// `Endpoints/Sum.swift` has a `SumTests.swift` that tests it in every kind of store; a pair can share one file.
    static func endpointMirrors(_ sources: [SwiftSource], tests: [SwiftSource]) -> [Violation] {
        let verbs = sources.filter { !publicEndpoints($0).isEmpty }
        let names = verbs.map { $0.path.dropFirst(endpoints.count).dropLast(".swift".count).prefix { $0 != "+" } }
        return zip(verbs, names).flatMap { source, name -> [Violation] in
            let files = names.reduce(into: [String(name)]) { $0 += [String($1 + name), String(name + $1)] }
            let mirror = tests.first { test in
                test.path.hasPrefix(endpointTests) && files.contains { test.path.hasSuffix("/\($0)Tests.swift") }
            }
            guard let mirror else {
                return [Violation(path: source.path, line: 1, sentence: "\(name)Tests.swift is missing.")]
            }
            let isEverywhere = mirror.code.contains("StoreKind.allCases") || mirror.code.contains("StoreKind.local")
            let sentence = "It tests \(name) in one kind of store: use `StoreKind.allCases` as the test's arguments."
            return isEverywhere ? [] : [Violation(path: mirror.path, line: 1, sentence: sentence)]
        }
    }

    /// The documentation of each endpoint says how many values arrive, when the signal ends and what can fail.
    ///
    /// That of a shorthand may refer to another endpoint instead.
    static func endpointDocumentation(_ source: SwiftSource) -> [Violation] {
        publicEndpoints(source).flatMap { endpoint -> [Violation] in
            let documentation = source.documentation(above: endpoint.line)
            func has(_ part: String) -> Bool { documentation.contains { $0.contains("- \(part):") } }
            let isShorthand = documentation.contains { $0.contains("- Delivery and failure: as `") }
            return ["Delivery", "Failure"].filter { !isShorthand && !has($0) }.map {
                let sentence = "`\(endpoint.signature)` has no `- \($0):` line in its documentation."
                return Violation(path: source.path, line: endpoint.line, sentence: sentence)
            }
        }
    }

    struct Row {
        let text: String
        let firstCell: String
        let line: Int
    }

    /// The rows of every table, without the lines that separate its heading.
    static func rows(of markdown: String) -> [Row] {
        let lines = markdown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return lines.enumerated().compactMap { index, text in
            guard text.hasPrefix("|"), !text.hasPrefix("|-"), !text.hasPrefix("| -"), !text.hasPrefix("|:") else {
                return nil
            }
            let cells = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            return Row(text: text, firstCell: cells.count > 1 ? cells[1] : "", line: index + 1)
        }
    }
}
