import Foundation
import Testing

/// Runs the built program as a person would: in a separate process and folder.
struct Program {
    struct Ending: Equatable {
        var status: Int32
        var output: String
        var errors: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    let folder: String

    init() throws {
        folder = try temporaryFolder()
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: folder)
    }

    func path(_ name: String) -> String { folder + "/" + name }

    func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// The bytes of a store, which bad input must not change.
    func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }

    /// Runs the program to its end.
    func run(_ arguments: String..., input: String = "") async throws -> Ending {
        try await run([Self.executable] + arguments, input: input)
    }

    /// Runs a line of the shell in which `$P` is the program.
    func shell(_ line: String) async throws -> Ending {
        try await run(["/bin/sh", "-c", line], input: "")
    }

    /// Starts the program, and returns its lines while it runs.
    func follow(_ arguments: String...) throws -> RunningProgram {
        try RunningProgram(ShellCommand(in: folder, [Self.executable] + arguments, program: Self.executable))
    }

    /// Starts a line of the shell in which `$P` is the program, and returns its lines while it runs.
    func follow(shell line: String, interruptAtOnce: Bool = false) throws -> RunningProgram {
        try RunningProgram(
            ShellCommand(in: folder, ["/bin/sh", "-c", line], program: Self.executable),
            interruptAtOnce: interruptAtOnce)
    }

    private func run(_ words: [String], input: String) async throws -> Ending {
        let name = UUID().uuidString
        try write(input, to: name + "in")
        let command = ShellCommand(in: folder, words, program: Self.executable)
        let status = await command.status(" <\(name)in >\(name)out 2>\(name)err")
        return Ending(
            status: status, output: String(decoding: try bytes(name + "out"), as: UTF8.self),
            errors: String(decoding: try bytes(name + "err"), as: UTF8.self))
    }

    /// The program, in the folder of the tests' executable or bundle.
    private static let executable: String = {
        let bundles = Bundle.allBundles.map(\.bundlePath).filter { $0.hasSuffix(".xctest") }
        let folders = ([CommandLine.arguments[0]] + bundles).map { ($0 as NSString).deletingLastPathComponent }
        let candidates = folders.map { $0 + "/playground" }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0) } ?? "playground"
    }()
}
