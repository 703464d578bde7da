import Foundation

/// Builds the copy, and drops the mutants that the compiler rejects, until it builds.
struct Builder {
    let scratch: ScratchPackage
    let log: @Sendable (String) -> Void

    /// Builds, and returns the numbers of the mutants that do not compile and the files that have changed.
    ///
    /// An earlier build has found the `known` ones. `onRefusal` receives all of them after each round, so that a build
    /// that ends early need not start over.
    func build(
        _ sources: [SourceFile], known: Set<Int>, onRefusal: (Set<Int>) -> Void
    ) throws -> (refused: Set<Int>, changed: [String]) {
        var dropped = known
        let changed = try scratch.write(sources, dropping: dropped)
        for round in 1...60 {
            let start = ContinuousClock.now
            let output = try run()
            let seconds = (ContinuousClock.now - start).components.seconds
            try Data(output.text.utf8).write(to: scratch.folder.appending(path: "build-\(round).log"))
            guard output.status != 0 else {
                log("Built in round \(round), which took \(seconds) s; \(dropped.count) mutants do not compile.")
                return (dropped, changed)
            }
            let messages = Self.messages(output.text, in: scratch.package.path)
            let refused = try suspects(messages, in: sources, dropping: dropped, output: output.text)
            log("Round \(round) took \(seconds) s: \(refused.count) mutants do not compile.")
            dropped.formUnion(refused)
            onRefusal(dropped)
            for source in sources where source.mutants.contains(where: { refused.contains($0.number) }) {
                try scratch.write(source, dropping: dropped)
            }
        }
        throw MutantsError("the mutated package does not build: 60 rounds were not enough")
    }

    /// The path of the program with the tests.
    func testProgram() throws -> String {
        let shown = try ChildProcess.output(
            ["swift", "build", "--show-bin-path", "--package-path", scratch.package.path], limit: .seconds(300))
        let folder = shown.text.split(separator: "\n").last.map(String.init) ?? ""
        return folder + "/SignalRepositoryPackageTests.xctest"
    }

    private func run() throws -> ChildProcess.Output {
        // Compiling whole modules takes less CPU time than compiling batches of files.
        let flags = [
            "-gnone", "-suppress-warnings", "-disable-batch-mode", "-wmo", "-num-threads",
            "\(ProcessInfo.processInfo.activeProcessorCount)",
        ]
        return try ChildProcess.output(
            ["swift", "build", "--package-path", scratch.package.path, "--product", "SignalRepositoryPackageTests"]
                + flags.flatMap { ["-Xswiftc", $0] }, limit: .seconds(3_600))
    }

    private func suspects(
        _ messages: [Message], in sources: [SourceFile], dropping dropped: Set<Int>, output: String
    ) throws -> Set<Int> {
        var refused: Set<Int> = []
        for message in messages {
            guard let source = sources.first(where: { $0.path == message.path }) else { continue }
            refused.formUnion(
                source.suspects(
                    line: message.line, column: message.column, dropping: dropped, importing: SwitchModule.name))
        }
        refused.subtract(dropped)
        guard !refused.isEmpty else {
            throw MutantsError("the mutated package does not build:\n" + output.suffix(4_000))
        }
        return refused
    }

    struct Message: Hashable {
        let path: String
        let line: Int
        let column: Int
    }

    /// The errors among the compiler's messages, with paths relative to the package.
    static func messages(_ output: String, in package: String) -> [Message] {
        var messages: [Message] = []
        for line in output.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 4)
            guard parts.count == 5, parts[3] == " error", parts[0].hasPrefix(package + "/"), let row = Int(parts[1]),
                let column = Int(parts[2])
            else { continue }
            let message = Message(path: String(parts[0].dropFirst(package.count + 1)), line: row, column: column)
            if !messages.contains(message) { messages.append(message) }
        }
        return messages
    }
}

/// The error that ends the program, in a sentence.
struct MutantsError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
