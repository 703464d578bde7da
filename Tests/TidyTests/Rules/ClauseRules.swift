import Foundation

/// The contract and its tests name each other: a clause is a promise only if a test that can fail checks it.
enum ClauseRules {
    struct Contract: Equatable {
        /// Every clause, by its number, in the order of the document.
        var clauses: [String]
        /// The clauses that the document itself lists as not yet covered by a test.
        var awaiting: Set<String>
    }

    /// A clause opens a line, a list item, a heading or a table row: `- **S1** …`, `### S1 …`, `| S1 | …`.
    ///
    /// The line that begins with `Awaiting a test:` lists the clauses that no test cites yet.
    static func contract(_ text: String) -> Contract {
        let awaiting = text.matches(#"^Awaiting a test:.*(?:\n\S.*)*"#).map(\.text)
        let rest = awaiting.reduce(text) { $0.replacingOccurrences(of: $1, with: "") }
        let clauses = rest.matches(#"^(?:[-*] |#+ |\| ?)?\**([SR]\d+)\b"#).map { $0.groups[0] }
        return Contract(clauses: clauses, awaiting: Set(awaiting.flatMap(ids)))
    }

    /// The ids in the display names of tests and suites: `@Test("S9 S10 nothing follows a terminal")`.
    static func citations(_ source: SwiftSource) -> [(id: String, line: Int)] {
        let lines = source.code.matches(#"@(?:Test|Suite)\s*\(\s*""#)
        return lines.flatMap { match -> [(id: String, line: Int)] in
            let opening = match.line + match.text.count { $0 == "\n" }
            let names = source.literals.filter { $0.line == opening }
            return names.prefix(1).flatMap { ids(in: $0.text) }.map { ($0, opening) }
        }
    }

    static func unknown(_ source: SwiftSource, in contract: Contract) -> [Violation] {
        citations(source).filter { !contract.clauses.contains($0.id) }.map {
            Violation(path: source.path, line: $0.line, sentence: "The contract has no clause \($0.id).")
        }
    }

    static func uncited(_ contract: Contract, by sources: [SwiftSource], path: String) -> [Violation] {
        let cited = Set(sources.flatMap(citations).map(\.id))
        let silent = contract.clauses.filter { !cited.contains($0) && !contract.awaiting.contains($0) }
            .map { "No test cites \($0), and it is not listed as awaiting one." }
        let stray = contract.awaiting.filter { !contract.clauses.contains($0) }.sorted()
            .map { "\($0) awaits a test but is not a clause." }
        let doubled = Dictionary(grouping: contract.clauses) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
            .map { "\($0) is defined more than once." }
        return (silent + stray + doubled).map { Violation(path: path, line: 1, sentence: $0) }
    }

    /// The list of clauses that await a test contains none that a test cites.
    static func stale(_ contract: Contract, citedBy sources: [SwiftSource], path: String) -> [Violation] {
        let cited = Set(sources.flatMap(citations).map(\.id))
        return contract.clauses.filter { cited.contains($0) && contract.awaiting.contains($0) }.map {
            let sentence = "A test cites \($0): remove it from the list of clauses that await one."
            return Violation(path: path, line: 1, sentence: sentence)
        }
    }

    static func ids(in text: String) -> [String] {
        text.matches(#"\b[SR]\d+\b"#).map(\.text)
    }
}
