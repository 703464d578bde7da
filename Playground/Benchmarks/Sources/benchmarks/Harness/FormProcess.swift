import Foundation

/// A separate process for one form of a row, so that no other form affects its allocator, its caches or its queues.
///
/// The process runs this program again. It runs a round for each line that it reads, and answers with the figure and
/// the checksum.
final class FormProcess {
    private var process: pid_t = 0
    private let commands: FileHandle
    private let answers: UnsafeMutablePointer<FILE>

    /// Starts the process for a form, by the name that `--measure` takes.
    init(_ name: String, clock: Meter.Clock, options: [String]) throws {
        var (input, output): ([Int32], [Int32]) = ([0, 0], [0, 0])
        guard pipe(&input) == 0, pipe(&output) == 0 else { throw FormProcessError(name: name) }
        // The child must not keep these ends open, or it would never see the end of its commands.
        for end in [input[1], output[0]] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let program = CommandLine.arguments[0]
        let arguments = [program, "--measure", name, "--clock", clock.rawValue] + options
        var list = arguments.map { strdup($0) } + [nil]
        defer { for argument in list { free(argument) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input[0], 0)
        posix_spawn_file_actions_adddup2(&actions, output[1], 1)
        let code = posix_spawnp(&process, program, &actions, nil, &list, environ)
        _ = (close(input[0]), close(output[1]))
        guard code == 0, let answers = fdopen(output[0], "r") else { throw FormProcessError(name: name) }
        commands = FileHandle(fileDescriptor: input[1], closeOnDealloc: true)
        self.answers = answers
    }

    deinit {
        try? commands.close()
        fclose(answers)
        var status: Int32 = 0
        waitpid(process, &status, 0)
    }

    /// Runs one round in the process.
    func round(_ name: String) throws -> (amount: Double, checksum: Int) {
        try commands.write(contentsOf: Data("round\n".utf8))
        var line = [CChar](repeating: 0, count: 200)
        guard fgets(&line, Int32(line.count), answers) != nil else { throw FormProcessError(name: name) }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let parts = text.split(whereSeparator: \.isWhitespace)
        guard parts.count == 2, let amount = Double(parts[0]), let checksum = Int(parts[1]) else {
            throw FormProcessError(name: name)
        }
        return (amount, checksum)
    }
}

/// The error of a form that did not run in its process.
struct FormProcessError: Error, CustomStringConvertible {
    let name: String

    var description: String { "\(name) could not be measured in its own process" }
}
