#if Macros
    import Foundation
    import SwiftDiagnostics
    import SwiftParser
    import SwiftSyntax
    import SwiftSyntaxMacroExpansion
    @testable import EntityMacros

    /// The result of expanding the macros in a source.
    struct Expansion {
        /// The extension that is written below the source.
        let written: String
        /// The diagnostics, each with its line and column.
        let problems: [String]
        /// The changed source for each fix-it, by its message.
        let fixes: [String: String]

        init(_ source: String, conforming: Bool = true) {
            let file = Parser.parse(source: source)
            let context = BasicMacroExpansionContext(
                sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
            var specs = Self.markers.reduce(into: [:]) { $0[$1] = MacroSpec(type: MarkerMacro.self) }
            specs["Entity"] = MacroSpec(type: EntityMacro.self, conformances: conforming ? ["Entity"] : [])
            let expanded = file.expand(
                macroSpecs: specs,
                contextGenerator: {
                    BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
                }, indentationWidth: .spaces(4))
            let text = expanded.description
            written =
                text.range(of: "\n\nextension ").map { String(text[text.index($0.lowerBound, offsetBy: 2)...]) } ?? ""
            func offset(_ position: AbsolutePosition, _ node: Syntax) -> Int {
                context.location(for: position, anchoredAt: node, fileName: "Test.swift").offset
            }
            problems = context.diagnostics.map { problem in
                let place = context.location(for: problem.position, anchoredAt: problem.node, fileName: "Test.swift")
                return "\(place.line):\(place.column): \(problem.message)"
            }
            fixes = context.diagnostics.flatMap { problem in problem.fixIts.map { (problem.node, $0) } }
                .reduce(into: [:]) { fixes, fix in
                    var bytes = Array(source.utf8)
                    for edit in fix.1.edits.reversed() {
                        let (lower, upper) = (
                            offset(edit.range.lowerBound, fix.0), offset(edit.range.upperBound, fix.0)
                        )
                        bytes.replaceSubrange(lower..<upper, with: edit.replacement.utf8)
                    }
                    fixes[fix.1.message.message] = String(decoding: bytes, as: UTF8.self)
                }
        }

        private static let markers = [
            "Key", "Indexed", "Unique", "Default", "Scale", "References", "JSON", "Named", "Generated", "Created",
            "Updated", "Dimensions",
        ]
    }
#endif
