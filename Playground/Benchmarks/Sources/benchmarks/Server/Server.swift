import CLibpq
import Foundation

/// A PostgreSQL server for one process, with logical replication, default settings otherwise, and a socket in a
/// temporary folder.
///
/// The process of each form starts its own server, unless `BENCHMARKS_SERVER` names the folder of a running server. A
/// server stops when the process that started it ends.
enum Server {
    private static let variable = "BENCHMARKS_SERVER"

    /// The folder with the socket of the server, which starts on the first access.
    static let folder: Result<String, any Error> = Result {
        if let folder = ProcessInfo.processInfo.environment[variable] { return folder }
        let folder = try start()
        setenv(variable, folder, 1)
        return folder
    }

    /// Runs `body` with the parameters of an empty schema, which is dropped afterwards.
    static func withSchema<Output>(_ body: (String) throws -> Output) throws -> Output {
        let base = "host=\(try folder.get()) user=main dbname=postgres"
        let name = "s" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
        let server = try RawServer(base)
        try server.execute("CREATE SCHEMA \(name)")
        defer { try? server.execute("SET client_min_messages TO warning; DROP SCHEMA \(name) CASCADE; CHECKPOINT") }
        return try body(base + " options=-csearch_path=\(name)")
    }

    // The server runs until this end of the pipe is closed, which happens when the process ends. Safe because it is set
    // once, before `folder` has a value, and never read.
    nonisolated(unsafe) private static var input: Pipe?

    private static func start() throws -> String {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        guard let newest = versions.compactMap({ Int($0) }).max() else { throw ServerMissing() }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        // PostgreSQL refuses to run as root.
        let prefix = "\(getuid() == 0 ? "runuser -u nobody -- " : "")'\(root)/\(newest)/bin/"
        let script = """
            set -e
            mkdir '\(folder)'
            \(getuid() == 0 ? "chown nobody '\(folder)'" : ":")
            \(prefix)initdb' -D '\(folder)/data' -U main -A trust --locale=C --encoding=UTF8 >/dev/null
            \(prefix)pg_ctl' -D '\(folder)/data' -l '\(folder)/log' -w start \
            -o "-c wal_level=logical -c max_wal_senders=64 -c max_replication_slots=64 \
            -c listen_addresses='' -c unix_socket_directories='\(folder)'" >/dev/null
            echo started
            cat >/dev/null
            \(prefix)pg_ctl' -D '\(folder)/data' -m immediate stop >/dev/null 2>&1
            rm -rf '\(folder)'
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        Self.input = input
        guard try output.fileHandleForReading.read(upToCount: 7) == Data("started".utf8) else { throw ServerMissing() }
        return folder
    }
}

/// The error of a server that could not be started.
struct ServerMissing: Error, CustomStringConvertible {
    var description: String { "The rows pg.* need a PostgreSQL server, which could not be started." }
}

extension Form {
    /// A form that works in its own schema, which `fill` fills before the measurement; `check` returns its checksum.
    static func server<Store, Output>(
        _ name: String, _ fill: @escaping (RawServer) throws -> Void, _ open: @escaping (String) throws -> Store,
        work: @escaping (Store) throws -> Output, check: @escaping (RawServer, Output) throws -> Int
    ) -> Form {
        Form(name) { meter in
            try Server.withSchema { parameters in
                let server = try RawServer(parameters)
                try fill(server)
                try server.execute("ANALYZE")
                let store = try open(parameters)
                return try check(server, meter.time { try work(store) })
            }
        }
    }
}
