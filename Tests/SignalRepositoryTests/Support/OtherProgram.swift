import Foundation

/// Another program with the system's SQLite, which has its own connection and does not wait for locks.
final class OtherProgram {
    private let shell: Shell

    private static let script = """
        import sqlite3, sys
        connection = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=0)
        print("ready", flush=True)
        for line in sys.stdin:
            try: print(connection.execute(line.strip()).fetchall(), flush=True)
            except Exception as error: print("error:", error, flush=True)
        """

    /// Starts the program with a file, which it does not read yet.
    init(_ path: String) throws {
        shell = try Shell("exec python3 -c '\(Self.script)' '\(path)'")
        guard line() == "ready" else { throw Shell.Failure(description: "there is no Python with SQLite") }
    }

    /// Runs a statement, and returns its rows as Python prints them, or the error.
    @discardableResult
    func run(_ sql: String) throws -> String {
        try shell.send(sql)
        return line()
    }

    private func line() -> String {
        var line = ""
        while true {
            let next = shell.receive(1)
            if next.isEmpty || next == "\n" { return line }
            line += next
        }
    }
}
