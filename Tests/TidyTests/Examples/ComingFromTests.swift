import Foundation
import Testing

/// The programs for readers who come from another library, or from none, do what they say.
@Suite struct ComingFromTests {
    private static let folder = "Documentation/ComingFrom/"
    private static let list = folder + "README.md"
    private static let pages = Project.markdown.filter { $0.path.hasPrefix(folder) && $0.path != list }
    /// Other documents in which every example runs.
    private static let guides = [
        "Documentation/MakingSignals.md", "Documentation/Migration.md", "Documentation/Streams.md",
    ]

    @Test func programsPrintWhatTheySay() throws {
        let documents = Self.pages + Project.markdown.filter { Self.guides.contains($0.path) }
        let examples = documents.flatMap(Example.blocks)
        #expect(Set(examples.map(\.path)) == Set(Self.pages.map(\.path) + Self.guides))
        for example in examples {
            let prints = example.code.filter { $0.contains("print(") }
            let isWhole = !example.needsFileScope && !prints.isEmpty && prints.allSatisfy { $0.contains("  // ") }
            #expect(isWhole, "\(example.path):\(example.line) has a print without a comment that shows its output.")
        }
        let compiler = try ExampleCompiler()
        defer { #expect(throws: Never.self) { try compiler.removeFolder() } }
        for (example, printed) in zip(examples, try compiler.outputs(of: examples)) {
            #expect(printed == ExampleRunner.promised(by: example), "\(example.path):\(example.line)")
        }
    }

    @Test func pagesAreListedAndComplete() throws {
        #expect(Self.pages.count == 10)
        let list = try #require(Project.text(Self.list))
        for page in Self.pages {
            #expect(list.contains("](\(page.path.dropFirst(Self.folder.count)))"), "\(Self.list) lacks \(page.path).")
            #expect(Self.missing(in: page.text) == [], "\(page.path)")
        }
    }

    @Test func whatAPageLacksIsNamed() {
        let names = "| Theirs | Here |\n|---|---|\n"
        let differences = "## What behaves differently\n- **a** b\n- **c** d\n- **e** f\n"
        let program = "## The same program\n\n```\nlet a\n```\n\n```swift\nlet b\n```\n"
        #expect(Self.missing(in: names + differences + program) == [])
        #expect(Self.missing(in: differences + program) == ["a table of names"])
        #expect(Self.missing(in: names + program) == ["three differences"])
        #expect(Self.missing(in: names + differences + "## The same program\n") == ["their program", "the same here"])
    }

    /// The parts that a page lacks.
    private static func missing(in text: String) -> [String] {
        let sections = text.components(separatedBy: "\n## ")
        func section(_ title: String) -> [String] {
            sections.first { $0.hasPrefix(title) || $0.hasPrefix("## " + title) }?.components(separatedBy: "\n") ?? []
        }
        let parts = [
            ("a table of names", text.contains(" | Here |\n|---|---|\n")),
            ("three differences", section("What behaves differently").count { $0.hasPrefix("- **") } >= 3),
            ("their program", section("The same program").count { $0 == "```" } > 1),
            ("the same here", section("The same program").contains("```swift")),
        ]
        return parts.filter { !$0.1 }.map(\.0)
    }
}
