import Foundation
import Testing

/// Every recipe does what it says.
@Suite struct RecipeTests {
    private func outputs(of programs: [Example]) throws -> [[String]] {
        let compiler = try ExampleCompiler()
        defer { #expect(throws: Never.self) { try compiler.removeFolder() } }
        return try compiler.outputs(ofPrograms: programs)
    }

    @Test func pagesPrintWhatTheySay() throws {
        #expect(Recipes.pages.count > 15)
        for page in Recipes.pages where Recipes.quoting[page.path] == nil {
            #expect(!Recipes.programs(of: page).isEmpty, "\(page.path) has no program that imports and prints.")
        }
        let programs = Recipes.pages.flatMap(Recipes.programs)
        for (program, printed) in zip(programs, try outputs(of: programs)) {
            #expect(printed == ExampleRunner.promised(by: program), "\(program.path):\(program.line)")
        }
    }

    /// In a `main.swift`, declarations at file scope belong to the main actor.
    @Test func programsStandAlone() throws {
        let compiler = try ExampleCompiler()
        defer { #expect(throws: Never.self) { try compiler.removeFolder() } }
        for error in try compiler.errors(inPrograms: Recipes.pages.flatMap(Recipes.programs)) {
            Issue.record("\(error)")
        }
        let broken = Example(
            path: Recipes.folder + "C.md", line: 5,
            code: ["import Foundation", "var count = 0", "func add() async { count += 1 }", "print(count)  // 0"])
        #expect(try compiler.errors(inPrograms: [broken]).contains { $0.contains("C.md:7:") })
    }

    /// `ExampleTests` checks that the quoted sources exist.
    @Test func pagesWithoutAProgramQuote() {
        let paths = Set(Recipes.pages.map(\.path))
        for (path, reason) in Recipes.quoting {
            #expect(paths.contains(path), "\(path) does not exist.")
            let page = Recipes.pages.first { $0.path == path }
            #expect(page.map(Example.blocks)?.isEmpty == false, "\(path) quotes nothing, though \(reason).")
        }
    }

    @Test func pagesAreShortAndListed() throws {
        let list = try #require(Project.text(Recipes.list))
        for page in Recipes.pages {
            let name = page.path.dropFirst(Recipes.folder.count)
            #expect(list.contains("](\(name))"), "\(Recipes.list) does not list \(name).")
            #expect((30...90).contains(page.lineCount), "\(page.path) has \(page.lineCount) lines.")
        }
    }

    @Test func aFalsePromiseIsFound() throws {
        let path = Recipes.folder + "A.md"
        let wrong = Example(path: path, line: 1, code: ["import Foundation", "print(6 * 7)  // 43"])
        let right = Example(
            path: path, line: 1,
            code: [
                "import Foundation", "@main struct App {", "    static func main() throws {",
                "        try Data().write(to: URL(filePath: \"a\"))", "        for n in 1...2 { print(n) }", "    }",
                "}",
                "// 1", "// 2",
            ])
        let failing = Example(
            path: path, line: 1, code: ["import Foundation", "print(1)  // 1", "throw CancellationError()"])
        let programs = [wrong, right, failing]
        #expect(programs.allSatisfy(Recipes.isProgram))
        let printed = try outputs(of: programs)
        #expect(printed == [["42"], ["1", "2"], ["1", "failed: CancellationError()"]])
        #expect(zip(programs, printed).map { ExampleRunner.promised(by: $0) == $1 } == [false, true, false])
    }

    @Test func aProgramSeesWhatItImportsAlone() throws {
        let example = Example(
            path: Recipes.folder + "B.md", line: 7,
            code: ["import Foundation", "print(SQLiteRepository.self)  // SQLiteRepository"])
        #expect {
            try outputs(of: [example])
        } throws: { error in
            "\(error)".contains("B.md:8")
        }
    }

    @Test("N2 One import brings the types of Signals along")
    func importsOfAFile() throws {
        let named = Example(
            path: Recipes.folder + "D.md", line: 7,
            code: ["import SignalRepository", "let count: Signal<Int, Never>? = nil", "print(count == nil)  // true"])
        #expect(try outputs(of: [named]) == [["true"]])
    }

    @Test("N2 A manifest in a document names products that exist")
    func products() throws {
        let manifest = try #require(Project.text("Package.swift"))
        let known = Set(manifest.matches(#"\.library\(\s*name: "(\w+)""#).map(\.groups[0]))
        let named = Project.markdown.flatMap { page in
            page.text.matches(#"\.product\(name: "(\w+)", package: "SignalRepository""#).map(\.groups[0])
        }
        #expect(known.contains("SignalsTesting") && named.contains("SignalRepositoryTesting"))
        #expect(Set(named).subtracting(known) == [])
    }
}
