import Foundation

/// The package that a reader of the tutorial writes, built and run as the reader would.
///
/// It is built with the modules of these tests, not by SwiftPM, which would build the library again.
struct TutorialPackage {
    private let compiler: ExampleCompiler
    /// The files written so far, each with the documentation's file that has its text.
    private var files: [String: String] = [:]
    /// The documentation's files that have been compiled.
    private(set) var compiled: Set<String> = []
    private var program: String?

    init(_ compiler: ExampleCompiler) {
        self.compiler = compiler
    }

    /// Writes a file, after checking that the file it replaces compiles.
    mutating func write(_ name: String, _ resource: String) throws {
        if let old = files[name], !compiled.contains(old) { try typecheck() }
        files[name] = resource
        program = nil
        if name == "Package.swift" { try typecheckManifest(resource) }
    }

    /// Executes a command, and returns the lines that it prints; `nil` for a command of the shell.
    mutating func execute(_ command: String) throws -> [String]? {
        switch command {
        case "swift run": return try run(build())
        case "swift test": return try run(buildTests())
        default: return nil
        }
    }

    private func run(_ program: String) throws -> [String] {
        let place = compiler.folder.path
        return try ExampleCompiler.run(["sh", "-c", "cd \"$1\" && exec \"$2\"", "sh", place, program]).output
            .replacing(/\u{1B}\[[0-9;]*m/, with: "").split(separator: "\n").map(String.init)
    }

    private mutating func build() throws -> String {
        if let program { return program }
        let built = try compiler.link(try sources(), as: "Films")
        program = built
        compiled.formUnion(resources("Sources/"))
        return built
    }

    /// Builds the tests in one module with the program, without the file that contains `@main`.
    private mutating func buildTests() throws -> String {
        let sources = try sources().filter { try !String(contentsOfFile: $0, encoding: .utf8).contains("@main") }
        let tests = try files.filter { $0.key.hasPrefix("Tests/") }.map { name, resource in
            let text = try Tutorial.text(resource).replacing("@testable import Films\n", with: "")
            return try compiler.write(text, to: fileName(name, prefix: "Test-"))
        }
        let runner = try compiler.write(Self.testProgram, to: "Runner.swift")
        let program = try compiler.link(sources + tests + [runner], as: "FilmsTests")
        compiled.formUnion(resources("Tests/") + resources("Sources/"))
        return program
    }

    private static let testProgram = """
        import Testing

        @main struct Runner {
            static func main() async { await __swiftPMEntryPoint() as Never }
        }
        """

    private mutating func typecheck() throws {
        let errors = try compiler.compile(["-typecheck", "-parse-as-library", "-module-name", "Films"] + sources())
        if !errors.isEmpty { throw ExampleCompiler.Failure(errors: errors) }
        compiled.formUnion(resources("Sources/"))
    }

    private mutating func typecheckManifest(_ resource: String) throws {
        let target = try ExampleCompiler.run(["swiftc", "-print-target-info"]).output
        let place = target.matches(#""runtimeResourcePath": "([^"]+)""#).first?.groups[0] ?? ""
        let path = try compiler.write(Tutorial.text(resource), to: "Package.swift")
        let errors = try compiler.compile([
            "-typecheck", "-package-description-version", "6.2", "-I", place + "/pm/ManifestAPI", path,
        ])
        if !errors.isEmpty { throw ExampleCompiler.Failure(errors: errors) }
        compiled.insert(resource)
    }

    private func sources() throws -> [String] {
        try files.filter { $0.key.hasPrefix("Sources/") }.map { name, resource in
            try compiler.write(Tutorial.text(resource), to: fileName(name, prefix: "Film-"))
        }
    }

    private func fileName(_ name: String, prefix: String) -> String {
        prefix + (name.split(separator: "/").last.map(String.init) ?? name)
    }

    private func resources(_ folder: String) -> [String] {
        files.filter { $0.key.hasPrefix(folder) }.map(\.value)
    }
}
