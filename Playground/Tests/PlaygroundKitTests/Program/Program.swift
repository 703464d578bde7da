import Foundation
import Testing

/// Runs the built program as a person would: in a process of its own, in a folder of its own.
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

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// The bytes of a store, of which none may change when an input is bad.
    func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }

    /// Runs the program to its end.
    func run(_ arguments: String..., input: String = "") async throws -> Ending {
        try await finish(try start(Self.executable, arguments, input: input))
    }

    /// Runs a line of the shell in which `$P` is the program.
    func shell(_ line: String) async throws -> Ending {
        try await finish(try start("/bin/sh", ["-c", line], input: ""))
    }

    /// Runs the program and hands its lines out while it goes on.
    func follow(_ arguments: String...) throws -> RunningProgram {
        try RunningProgram(process(Self.executable, arguments))
    }

    private func finish(_ running: (Process, AsyncStream<Int32>)) async throws -> Ending {
        var ending = Ending(status: -1, output: "", errors: "")
        for await status in running.1 { ending.status = status }
        ending.output = String(decoding: try bytes("stdout-\(running.0.processIdentifier)"), as: UTF8.self)
        ending.errors = String(decoding: try bytes("stderr-\(running.0.processIdentifier)"), as: UTF8.self)
        return ending
    }

    private func start(_ executable: String, _ arguments: [String], input: String) throws -> (
        Process, AsyncStream<Int32>
    ) {
        let process = process(executable, arguments)
        let name = UUID().uuidString
        for stream in ["in", "out", "err"] { try write(stream == "in" ? input : "", to: name + stream) }
        process.standardInput = FileHandle(forReadingAtPath: path(name + "in"))
        process.standardOutput = FileHandle(forWritingAtPath: path(name + "out"))
        process.standardError = FileHandle(forWritingAtPath: path(name + "err"))
        let (statuses, continuation) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { ended in
            continuation.yield(ended.terminationReason == .exit ? ended.terminationStatus : -ended.terminationStatus)
            continuation.finish()
        }
        try process.run()
        for (stream, final) in [("out", "stdout"), ("err", "stderr")] {
            try FileManager.default.moveItem(
                atPath: path(name + stream), toPath: path("\(final)-\(process.processIdentifier)"))
        }
        return (process, statuses)
    }

    private func process(_ executable: String, _ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.environment = ProcessInfo.processInfo.environment.merging(["P": Self.executable]) { $1 }
        return process
    }

    /// The program stands beside the tests' own executable or bundle.
    private static let executable: String = {
        let bundles = Bundle.allBundles.map(\.bundlePath).filter { $0.hasSuffix(".xctest") }
        let folders = ([CommandLine.arguments[0]] + bundles).map { ($0 as NSString).deletingLastPathComponent }
        let candidates = folders.map { $0 + "/playground" }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0) } ?? "playground"
    }()
}

/// A program that is followed while it runs.
final class RunningProgram {
    let lines: AsyncStream<String>
    private let process: Process
    private let statuses: AsyncStream<Int32>

    init(_ process: Process) throws {
        self.process = process
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        let (lines, lineContinuation) = AsyncStream.makeStream(of: String.self)
        let (statuses, statusContinuation) = AsyncStream.makeStream(of: Int32.self)
        (self.lines, self.statuses) = (lines, statuses)
        process.terminationHandler = { ended in
            statusContinuation.yield(
                ended.terminationReason == .exit ? ended.terminationStatus : -ended.terminationStatus)
            statusContinuation.finish()
        }
        try process.run()
        let descriptor = pipe.fileHandleForReading
        DispatchQueue.global().async {
            var rest = ""
            while true {
                let data = descriptor.availableData
                guard !data.isEmpty else { break }
                rest += String(decoding: data, as: UTF8.self)
                while let end = rest.firstIndex(of: "\n") {
                    lineContinuation.yield(String(rest[..<end]))
                    rest = String(rest[rest.index(after: end)...])
                }
            }
            lineContinuation.finish()
        }
    }

    func interrupt() { process.interrupt() }

    func status() async -> Int32 {
        for await status in statuses { return status }
        return -1
    }
}
