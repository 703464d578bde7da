import Foundation

/// Type-checks examples against the modules that the tests were built with.
///
/// Most examples become the body of one function each, in one file that the compiler reads in one go. An example that
/// needs file scope becomes a file. All of them see the declarations of the prelude, and may shadow them.
struct ExampleCompiler {
    /// The values that an example may use, beside the types of the prelude.
    static let parameters = """
        repository: SQLiteRepository, store: WriteTransaction, id: UUID, movie: Movie, movies: [Movie],
        tokens: inout Set<SignalToken>
        """

    private static let imports = [
        "Dispatch", "Foundation", "Prelude", "SignalRepository", "SignalRepositoryTesting", "SignalsLaws",
        "SignalsTesting",
    ]

    /// Whether examples with `@Entity` are type-checked: the macro exists only with the trait `Macros`.
    #if Macros
        static let hasMacros = true
    #else
        static let hasMacros = false
    #endif

    let folder: URL

    /// Makes a folder for generated files, and compiles the prelude into it.
    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "examples-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = try write(ExamplePrelude.text, to: "Prelude.swift")
        let module = folder.appending(path: "Prelude.swiftmodule").path
        let errors = try compile(["-emit-module", "-parse-as-library", "-module-name", "Prelude", "-o", module, path])
        if !errors.isEmpty { throw Failure(errors: errors) }
    }

    struct Failure: Error {
        let errors: [String]
    }

    func removeFolder() throws {
        try FileManager.default.removeItem(at: folder)
    }

    /// Returns the compiler's errors, each with the file and line of the documentation.
    func errors(in examples: [Example]) throws -> [String] {
        var errors: [String] = []
        let functions = examples.filter { !$0.needsFileScope }
        if !functions.isEmpty { errors += try typecheck(functionFile(functions), as: "Examples.swift") }
        for example in examples where example.needsFileScope && (Self.hasMacros || !example.usesMacros) {
            let isProgram = example.code.contains { $0.hasPrefix("@main") }
            errors += try typecheck(scriptFile(example), as: isProgram ? "Program.swift" : "main.swift")
        }
        return errors
    }

    /// Returns the compiler's errors in whole programs, each alone in its `main.swift`.
    func errors(inPrograms programs: [Example]) throws -> [String] {
        try programs.flatMap { program in
            let text = program.imports.joined(separator: "\n") + "\n" + located(program)
            return try typecheck(text, as: Recipes.mainType(of: program) == nil ? "main.swift" : "Program.swift")
        }
    }

    /// Builds and runs one program of all examples, and returns the output of each.
    func outputs(of examples: [Example]) throws -> [[String]] {
        let parameters = Self.parameters.replacing(" store: WriteTransaction,", with: "")
        let text = ExampleRunner.program(examples, functions: functionFile(examples, parameters))
        // The prelude's source is part of the program, because its module has no object file.
        let sources = [folder.appending(path: "Prelude.swift").path, try write(text, to: "Program.swift")]
        let program = try link(sources, as: "program", ["-I", folder.path])
        return ExampleRunner.printed(try Self.run([program]).output, count: examples.count)
    }

    /// Builds and runs whole programs, which see only their own imports, and returns the output of each.
    func outputs(ofPrograms programs: [Example]) throws -> [[String]] {
        let sources = Recipes.sources(programs, in: folder.appending(path: "runs").path, located: located)
        let program = try link(try sources.map { try write($0.text, to: $0.name) }, as: "program")
        return ExampleRunner.printed(try Self.run([program]).output, count: programs.count)
    }

    /// Builds a program from sources and the library, and returns its path.
    func link(_ sources: [String], as name: String, _ arguments: [String] = []) throws -> String {
        let program = folder.appending(path: name).path
        let products = try Self.modules().deletingLastPathComponent()
        var objects: [String] = []
        for module in Self.linked {
            let place = products.appending(path: module + (Self.hasMacros ? "-tool.build" : ".build"))
            let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
            // A source that was removed leaves its object file behind.
            let paths = Project.sources(under: "Sources/\(module)/").map(\.path)
            let sources = Set(paths.map { "\($0.split(separator: "/").last ?? "").o" })
            objects += names.filter { $0.hasSuffix(".swift.o") ? sources.contains($0) : $0.hasSuffix(".o") }
                .map { place.appending(path: $0).path }
        }
        let errors = try compile(
            ["-parse-as-library", "-o", program] + arguments + sources + objects + ["-lsqlite3"])
        if !errors.isEmpty { throw Failure(errors: errors) }
        return program
    }

    private static let linked = [
        "Signals", "RepositoryCore", "SignalRepository", "SignalRepositoryTesting", "SignalsObservation",
        "SignalsTesting",
    ]

    private func functionFile(_ examples: [Example], _ parameters: String = parameters) -> String {
        let bodies = examples.enumerated().map { index, example in
            "func example\(index)(\(parameters)) async throws {\n\(located(example))\n}"
        }
        return ([header(examples)] + bodies).joined(separator: "\n")
    }

    /// A file called `main.swift` allows both declarations and statements at file scope.
    private func scriptFile(_ example: Example) -> String {
        header([example]) + "\n" + located(example)
    }

    private func header(_ examples: [Example]) -> String {
        // The code in this document is meant for the module itself.
        let inside = examples.contains { $0.path == "CONTRIBUTING.md" } ? ["@testable import Signals"] : []
        return Set(Self.imports.map { "import " + $0 } + inside + examples.flatMap(\.imports)).sorted()
            .joined(separator: "\n")
    }

    private func located(_ example: Example) -> String {
        (["#sourceLocation(file: \"\(example.path)\", line: \(example.line))"] + example.body + ["#sourceLocation()"])
            .joined(separator: "\n")
    }

    private func typecheck(_ text: String, as name: String) throws -> [String] {
        let kind = name == "main.swift" ? [] : ["-parse-as-library"]
        return try compile(
            ["-typecheck", "-module-name", "Examples", "-I", folder.path, try write(text, to: name)] + kind)
    }

    func write(_ text: String, to name: String) throws -> String {
        let file = folder.appending(path: name)
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    /// The folders of the C libraries' modules and of PostgreSQL's header.
    private static let systemModules =
        ["CSQLite", "CSystemSQLite", "CPostgres"].map { Project.root.appending(path: "Sources/\($0)").path }
        + ["/usr/include/postgresql", "/opt/homebrew/opt/libpq/include"]
        .filter { FileManager.default.fileExists(atPath: $0) }

    func compile(_ arguments: [String]) throws -> [String] {
        let modules = try Self.modules()
        let plugin = modules.deletingLastPathComponent().appending(path: "EntityMacros-tool").path + "#EntityMacros"
        let (output, status) = try Self.run(
            ["swiftc", "-swift-version", "6", "-suppress-warnings", "-I", modules.path]
                + Self.systemModules.flatMap { ["-I", $0] } + Self.platform
                + (Self.hasMacros ? ["-load-plugin-executable", plugin] : []) + arguments)
        let errors = output.matches(#"^.*:\d+:\d+: error: .*$"#).map(\.text)
        return errors.isEmpty && status != 0 ? [output] : errors
    }

    /// Runs a command, and returns its output and status.
    ///
    /// The shell starts it. Foundation's `Process` on Linux reads past the entries of a folder when it starts a child,
    /// which ends the whole run once in some hundred times.
    static func run(_ arguments: [String]) throws -> (output: String, status: Int32) {
        let words = arguments.map { "'" + $0.replacing("'", with: "'\\''") + "'" }
        guard let pipe = popen(words.joined(separator: " ") + " 2>&1", "r") else {
            throw Failure(errors: ["\(arguments[0]) could not be started."])
        }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { output += buffer.prefix(count) }
        return (String(decoding: output, as: UTF8.self), pclose(pipe))
    }

    /// The folder of the modules that this test was built with, next to the running bundle.
    private static func modules() throws -> URL {
        let places = CommandLine.arguments.flatMap { argument in
            sequence(first: URL(filePath: argument)) {
                $0.pathComponents.count > 1 ? $0.deletingLastPathComponent() : nil
            }
            .prefix(6)
        }
        // Tests of a macro are built for the machine that builds, and so are the modules that they test.
        let name = hasMacros ? "Modules-tool" : "Modules"
        let folders = (places + [Project.root.appending(path: ".build/debug")]).map { $0.appending(path: name) }
        let found = folders.first {
            FileManager.default.fileExists(atPath: $0.appending(path: "Signals.swiftmodule").path)
        }
        guard let found else { throw Failure(errors: ["The built modules are not next to \(CommandLine.arguments)."]) }
        return found
    }

    #if os(macOS) && arch(arm64)
        private static let platform = ["-target", "arm64-apple-macosx15.0"]
    #elseif os(macOS)
        private static let platform = ["-target", "x86_64-apple-macosx15.0"]
    #else
        private static let platform: [String] = []
    #endif
}
