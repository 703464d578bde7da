import Foundation

/// A command in a folder, started by the shell.
///
/// It does not use Foundation's `Process`, which on Linux reads past the entries of a folder when it starts a child.
/// That ends the whole run once in a few hundred times.
struct ShellCommand {
    private let line: String

    init(in folder: String, _ words: [String], program: String) {
        line =
            "cd \(Self.quoted(folder)) && P=\(Self.quoted(program)) exec "
            + words.map(Self.quoted).joined(separator: " ")
    }

    private static func quoted(_ word: String) -> String { "'" + word.replacing("'", with: "'\\''") + "'" }

    /// Runs it to its end and returns its status, which is negative if a signal ended it.
    func status(_ redirections: String) async -> Int32 {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let status = popen(line + redirections, "r").map { pclose($0) } ?? -1
                continuation.resume(returning: Self.meaning(of: status))
            }
        }
    }

    /// Starts it, and returns a pipe with its process id on the first line, and then its output.
    func start() throws -> UnsafeMutablePointer<FILE> {
        guard let pipe = popen("echo $$ && " + line + " </dev/null", "r") else { throw CocoaError(.fileNoSuchFile) }
        return pipe
    }

    static func meaning(of status: Int32) -> Int32 {
        status & 0x7f == 0 ? (status >> 8) & 0xff : -(status & 0x7f)
    }
}
