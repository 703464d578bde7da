import Foundation
import Testing

/// Every example that a reader can copy compiles.
@Suite struct ExampleTests {
    private func errors(in examples: [Example]) throws -> [String] {
        let compiler = try ExampleCompiler()
        defer { #expect(throws: Never.self) { try compiler.removeFolder() } }
        return try compiler.errors(in: examples)
    }

    /// The document whose examples need packages that these tests do not have.
    ///
    /// They are parts of a package of the Playground, which compiles and tests them. So are all examples that import
    /// `SignalRepositoryCrypto`, and those of some recipes.
    private static let quoting = "Documentation/Serving.md"
    /// The sources that adapt such packages, whose examples are quoted in the same way.
    private static let adapting = [
        "Sources/SignalRepositoryLogging/", "Sources/SignalRepositoryMetrics/", "Sources/SignalRepositoryLifecycle/",
        "Sources/SignalRepositoryCrypto/",
    ]

    /// The examples of documents: either those that quote other sources, or all others.
    private static func documented(quoted: Bool) -> [Example] {
        Project.markdown.flatMap(Example.blocks).filter { example in
            let isQuoted = example.path == quoting || adapting.contains(where: example.path.hasPrefix)
            return (isQuoted || example.usesCrypto || Recipes.quoting[example.path] != nil) == quoted
        }
    }

    @Test func documentsCompile() throws {
        // `RecipeTests` compiles the programs of the recipes unchanged, and runs them.
        let examples = Self.documented(quoted: false).filter { !Recipes.isProgram($0) }
        #expect(examples.contains { $0.path == "README.md" })
        for error in try errors(in: examples) { Issue.record("\(error)") }
    }

    @Test func quotationsAreParts() throws {
        let adapters = Self.adapting.flatMap { Project.sources(under: $0) }.flatMap(Example.blocks)
        let examples = Self.documented(quoted: true) + adapters
        let folders = ["Playground/Server/", "Playground/Encryption/", "Tests/SignalRepositoryTestingTests/"]
        let sources = folders.flatMap { Project.sources(under: $0) }
        #expect(examples.count > 5 && adapters.count > 5)
        for example in examples {
            #expect(sources.contains(where: example.isPart), "\(example.path):\(example.line) is not in any source.")
        }
        let source = SwiftSource(path: "A.swift", text: "do {\n    a()\n    b()\n}\n")
        #expect(Example(path: "A.md", line: 1, code: ["a()", "b()"]).isPart(of: source))
        #expect(!Example(path: "A.md", line: 1, code: ["b()", "a()"]).isPart(of: source))
        #expect(!Example(path: "A.md", line: 1, code: ["a()", "c()"]).isPart(of: source))
    }

    @Test func commentsCompile() throws {
        let examples = (Project.sources(under: "Sources/") + Project.sources(under: "Tests/SignalsLaws/"))
            .filter { source in !Self.adapting.contains(where: source.path.hasPrefix) }.flatMap(Example.blocks)
        #expect(examples.count > 20)
        for error in try errors(in: examples) { Issue.record("\(error)") }
    }

    @Test func guidesPrintWhatTheySay() throws {
        let landing = ["Signals", "SignalsTesting", "SignalRepository", "SignalRepositoryTesting"]
            .map { "Sources/\($0)/\($0).docc/\($0).md" }
        let guides = ["README.md", "Documentation/Modelling.md", "Documentation/Testing.md"] + landing
        let examples = Project.markdown.filter { guides.contains($0.path) }.flatMap(Example.blocks)
            .filter(ExampleRunner.canRun)
        #expect(Set(examples.map(\.path)) == Set(guides))
        let compiler = try ExampleCompiler()
        defer { #expect(throws: Never.self) { try compiler.removeFolder() } }
        for (example, printed) in zip(examples, try compiler.outputs(of: examples)) {
            #expect(printed == ExampleRunner.promised(by: example), "\(example.path):\(example.line)")
        }
    }

    /// The tour is one program, typed step by step, which prints what its comments show.
    @Test func theTourPrintsWhatItSays() throws {
        let blocks = Project.markdown.filter { $0.path == "Documentation/Tour.md" }.flatMap(Example.blocks)
        // The prelude declares the model, and the last step reads from the keyboard.
        let steps = blocks.dropFirst().dropLast()
        let program = try #require(steps.first)
        let main = program.code.drop { !$0.contains("func main") }.dropFirst().prefix { $0 != "    }" }
        let additions = steps.dropFirst().dropLast().flatMap(\.code)
        let last = try #require(steps.last)
        let code = [Array(main), additions, ["try await follow(repository)"], last.code].flatMap(\.self)
        let tour = Example(path: program.path, line: program.line, code: code)
        let compiler = try ExampleCompiler()
        defer { #expect(throws: Never.self) { try compiler.removeFolder() } }
        let promised = ExampleRunner.promised(by: tour)
        #expect(promised.count == 9)
        #expect(try compiler.outputs(of: [tour]) == [promised])
    }

    @Test func aFalsePromiseIsFound() throws {
        let example = Example(path: "A.md", line: 1, code: ["for n in 1...2 { print(n) }  // 1, then 3"])
        #expect(ExampleRunner.canRun(example))
        let compiler = try ExampleCompiler()
        defer { #expect(throws: Never.self) { try compiler.removeFolder() } }
        let printed = try compiler.outputs(of: [example])
        #expect(printed == [["1", "2"]] && printed[0] != ExampleRunner.promised(by: example))
    }

    @Test func aBrokenExampleIsFound() throws {
        let sound = Example(path: "A.md", line: 1, code: ["let answer = 6 * 7", "print(answer)"])
        let broken = Example(path: "B.md", line: 10, code: ["let answer = 6 * 7", "let text: String = answer"])
        let unknown = Example(path: "C.md", line: 3, code: ["extension Nothing {}"])
        let found = try errors(in: [sound, broken, unknown])
        #expect(found.map { $0.split(separator: ":").prefix(2).joined(separator: ":") } == ["B.md:11", "C.md:3"])
    }

    @Test func aLoopOverASignalIsToldOfItsValues() throws {
        let loop = Example(
            path: "A.md", line: 1,
            code: ["let numbers = Signal<Int, Never>.sequence(1...3)", "for await number in numbers { print(number) }"])
        let argument = Example(
            path: "B.md", line: 1,
            code: [
                "func count(_ numbers: some AsyncSequence<Int, Never>) async -> Int { 0 }",
                "_ = await count(Signal<Int, Never>.just(1))",
            ])
        let found = try errors(in: [loop, argument])
        #expect(found.count == 2 && found.allSatisfy { $0.contains("signal.values") }, "\(found)")
    }

    @Test func everyFormCompiles() throws {
        let statements = Example(
            path: "A.md", line: 1,
            code: ["import Synchronization", "let count = Atomic(1)", "print(count.load(ordering: .relaxed))"])
        let anew = Example(
            path: "B.md", line: 1, code: ["struct Movie { let name: String }", "print(Movie(name: \"\"))"])
        let script = Example(
            path: "C.md", line: 1,
            code: ["extension Movie { var year: Int { 1998 } }", "struct Film {}", "print(Film())"])
        #expect(try errors(in: [statements, anew, script]) == [])
    }

    /// Without the trait `Macros` there is no macro to expand: such examples are left out then, and no others.
    @Test func modelsWithTheMacroCompileWhereItIs() throws {
        let head = ["import SignalRepositoryMacros", "@Entity struct Play { let id: Int }"]
        let sound = Example(path: "A.md", line: 1, code: head + ["print(Play.schema.columns.count)"])
        let broken = Example(path: "B.md", line: 1, code: head + ["print(Play.schema.rows)"])
        let found = try errors(in: [sound, broken])
        #expect(sound.usesMacros && found.count == (ExampleCompiler.hasMacros ? 1 : 0), "\(found)")
        #expect(Project.markdown.flatMap(Example.blocks).contains { $0.usesMacros })
    }

    @Test func blocksAreFoundInDocuments() {
        let text = "# A\n```swift\nlet a = 1\n```\n```sh\nls\n```\n- b\n  ```swift\n  let b = {\n    2\n  }\n  ```\n"
        let blocks = Example.blocks(in: TextFile(path: "A.md", text: text))
        #expect(blocks.map(\.line) == [3, 10])
        #expect(blocks.map(\.code) == [["let a = 1"], ["let b = {", "  2", "}"]])
    }

    @Test func blocksAreFoundInComments() {
        let text = """
            struct A {
                /// One.
                ///
                /// ```swift
                /// let a = 1
                ///
                /// ```
                let b = 2
            }
            """
        let blocks = Example.blocks(in: SwiftSource(path: "A.swift", text: text))
        #expect(blocks == [Example(path: "A.swift", line: 5, code: ["let a = 1", ""])])
    }
}
