import Foundation
import Synchronization

/// A PostgreSQL server of the tests' own: in a temporary folder, with a socket there, which nobody else can reach.
///
/// It is started when a test first asks for it, and stopped when the process ends, however it does: a shell beside it
/// waits for that.
final class TestServer: Sendable {
    /// The server, or why there is none.
    static let shared = Result { try TestServer() }

    private let folder: URL
    private let schemas = Atomic(0)

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private init() throws {
        let programs = try Self.programs()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "postgres-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // PostgreSQL refuses to run as root.
        let prefix = getuid() == 0 ? "runuser -u nobody -- " : ""
        let (data, path) = (folder.path + "/data", folder.path)
        let script = """
            set -e
            \(getuid() == 0 ? "chown nobody '\(path)'" : ":")
            \(prefix)'\(programs)/initdb' -D '\(data)' -U main -A trust --locale=C --encoding=UTF8 --no-sync >/dev/null
            cat >> '\(data)/postgresql.conf' <<END
            listen_addresses = ''
            unix_socket_directories = '\(path)'
            fsync = off
            max_connections = 400
            shared_buffers = 64MB
            END
            printf 'local all locked scram-sha-256\nlocal all all trust\n' > '\(data)/pg_hba.conf'
            \(prefix)'\(programs)/pg_ctl' -D '\(data)' -l '\(path)/log' -w start >/dev/null
            echo started
            cat >/dev/null
            \(prefix)'\(programs)/pg_ctl' -D '\(data)' -m immediate stop >/dev/null 2>&1
            rm -rf '\(path)'
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        // Until this end of the pipe is closed, the server runs: the process closes it when it ends.
        Self.inputs.withLock { $0.append(input) }
        guard let line = try output.fileHandleForReading.read(upToCount: 7), line == Data("started".utf8) else {
            throw Failure(description: "PostgreSQL could not be started in \(path)")
        }
        try run("CREATE ROLE locked LOGIN PASSWORD '\(Self.password.plain.replacing("'", with: "''"))'")
    }

    private static let inputs = Mutex<[Pipe]>([])

    private static func programs() throws -> String {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        let newest = versions.compactMap { Int($0) }.max()
        guard let newest else { throw Failure(description: "PostgreSQL's server is not installed") }
        return "\(root)/\(newest)/bin"
    }

    /// The parameters of a store of its own, in a schema that is empty.
    func store() throws -> String {
        "host=\(folder.path) user=main dbname=postgres options=-csearch_path=\(try schema())"
    }

    /// A store of its own by its URI; the role `locked` has a password, which is what `password` says.
    func uri(user: String = "main", password: String? = nil, database: String = "postgres") throws -> String {
        let host = folder.path.replacing("/", with: "%2F")
        let credentials = user + (password.map { ":" + $0 } ?? "")
        return "postgresql://\(credentials)@\(host)/\(database)?options=-csearch_path%3D\(try schema())"
    }

    /// The password of the role `locked`, and as a URI has it.
    static let password = (plain: "pa55 w%rd'/@é", encoded: "pa55%20w%25rd%27%2F%40%C3%A9")

    private func schema() throws -> String {
        let name = "test\(schemas.add(1, ordering: .relaxed).newValue)"
        try run("CREATE SCHEMA \(name); GRANT ALL ON SCHEMA \(name) TO PUBLIC")
        return name
    }

    private func run(_ sql: String) throws { try run(sql, on: "host=\(folder.path) user=main dbname=postgres") }

    /// Runs statements by the server's own client.
    func run(_ sql: String, on store: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["psql", "-q", "-v", "ON_ERROR_STOP=1", "-d", store, "-c", sql]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(description: "psql did not do: \(sql)") }
    }
}
