/// The documentation says of every public enumeration whether it may get new cases.
enum EnumerationRules {
    static let documentation = "Documentation/Versioning.md"

    /// The public enumerations with cases, by their full names, such as `ChangeSet.Extent`.
    static func enumerations(_ source: SwiftSource) -> [(name: String, line: Int)] {
        let cases = source.code.matches(#"^ *(?:indirect )?case (?!let\b|var\b)\w"#).map(\.line)
        let enumerations = source.outline.declarations.filter { $0.keyword == "enum" && !$0.isLocal }
        return enumerations.filter { outer in
            let inner = enumerations.filter { $0.line > outer.line && $0.lastLine < outer.lastLine }
            return outer.isPublic
                && cases.contains { line in
                    (outer.line...outer.lastLine).contains(line)
                        && !inner.contains { ($0.line...$0.lastLine).contains(line) }
                }
        }.map { (name: ($0.container + [$0.name]).joined(separator: "."), line: $0.line) }
    }

    /// Each enumeration is named in the first column of one row, and no row names one that does not exist.
    static func rows(_ sources: [SwiftSource], documentation text: String) -> [Violation] {
        let found = sources.flatMap { source in enumerations(source).map { (path: source.path, item: $0) } }
        let listed = MirrorRules.rows(of: text).flatMap { row in
            row.firstCell.matches("`([A-Z][^`]*)`").map { (name: $0.groups[0], line: row.line) }
        }
        let missing = found.filter { entry in listed.count { $0.name == entry.item.name } != 1 }.map {
            let sentence = "\(documentation) must say exactly once whether `\($0.item.name)` may get new cases."
            return Violation(path: $0.path, line: $0.item.line, sentence: sentence)
        }
        let strays = listed.filter { row in !found.contains { $0.item.name == row.name } }.map {
            Violation(path: documentation, line: $0.line, sentence: "There is no enumeration `\($0.name)`.")
        }
        return missing + strays
    }
}
