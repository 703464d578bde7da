import Foundation

/// The pages of recipes: each asks a question, and answers it with a program and its output.
enum Recipes {
    static let folder = "Documentation/Recipes/"
    static let list = folder + "README.md"

    static let pages = Project.markdown.filter { $0.path.hasPrefix(folder) && $0.path != list }

    /// The pages whose programs cannot run here, and why.
    ///
    /// Their examples are parts of sources that other tests compile and run.
    static let quoting = [
        folder + "Server.md": "it needs Hummingbird: the tests of Playground/Server run it",
        folder + "Encryption.md": "it needs an SQLite that encrypts, and swift-crypto: Playground/Encryption has both",
        folder + "Tests.md": "it is a test: it runs as one, in SignalRepositoryTestingTests",
    ]

    /// The programs of a page: the examples that import what they use, and print something.
    static func programs(of page: TextFile) -> [Example] {
        quoting[page.path] == nil ? Example.blocks(in: page).filter(isProgram) : []
    }

    static func isProgram(_ example: Example) -> Bool {
        example.path.hasPrefix(folder) && quoting[example.path] == nil && !example.imports.isEmpty
            && example.code.contains { $0.contains("print(") }
    }

    /// The name of the type with `@main`; a program without one is a `main.swift`.
    static func mainType(of program: Example) -> String? {
        program.code.joined(separator: "\n").matches(#"(?m)^@main (?:struct|enum) (\w+)"#).first?.groups[0]
    }

    /// The sources of one program that runs programs, by the names of their files.
    ///
    /// Each program has its own file, and sees only its own imports. A program with `@main` is nested in a type, where
    /// the names of other programs do not matter. The others become functions on the main actor, as in a `main.swift`.
    /// Each runs in a new folder.
    static func sources(
        _ programs: [Example], in folder: String, located: (Example) -> String
    ) -> [(name: String, text: String)] {
        var calls: [String] = []
        let files = programs.enumerated().map { number, program in
            let imports = program.imports.joined(separator: "\n")
            let main = mainType(of: program)
            calls.append("try await " + (main.map { "Recipe\(number).\($0).main()" } ?? "recipe\(number)()"))
            let head = main == nil ? "@MainActor func recipe\(number)() async throws {" : "enum Recipe\(number) {"
            let body = located(program).replacing("@main ", with: "")
            return (name: "Recipe\(number).swift", text: "\(imports)\n\(head)\n\(body)\n}\n")
        }
        let runs = calls.enumerated().map { number, call in
            """
            print("== \(number)")
            do {
                let folder = \(String(reflecting: "\(folder)/\(number)"))
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                guard FileManager.default.changeCurrentDirectoryPath(folder) else { throw CocoaError(.fileNoSuchFile) }
                \(call)
            } catch {
                print("failed: \\(error)")
            }
            """
        }
        let program = "import Foundation\n@main struct Program {\nstatic func main() async {\n"
        return files + [(name: "Program.swift", text: program + runs.joined(separator: "\n") + "\n}\n}\n")]
    }
}
