import Foundation
import SignalRepository
import Signals
import Synchronization

@testable import SignalRepositoryPostgres

/// A PostgreSQL server of the tests' own: in a temporary folder, with a socket there, which nobody else can reach.
///
/// The shared one is started when a test first asks for it, and stopped when the process ends, however it does: a shell
/// beside it waits for that. One that a test makes for itself may be stopped and started, and goes with the object.
final class TestServer: Sendable {
    /// The server, or why there is none.
    static let shared = Result {
        // What it keeps goes with it, so nothing has to survive.
        let settings = "fsync = off\nfull_page_writes = off\nautovacuum = off\njit = off\nmax_connections = 400"
        return try TestServer(settings: settings, copying: nil)
    }

    let folder: URL
    private let port: Int
    private let schemas = Atomic(0)
    /// Until its input is closed, the server runs.
    private let shell: Shell

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Starts a server of a test's own, which writes to the disk as one in use does.
    convenience init(durableWith settings: String) throws {
        try self.init(settings: "fsync = on\n" + settings, copying: Self.cluster())
    }

    /// What the shared server began with, which takes longer to make than to copy.
    private static func cluster() throws -> String { try shared.get().folder.path + "/cluster" }

    /// Starts a server of a test's own that is reached by TCP too, with TLS alone and with a password, and a standby of
    /// it beside it, whose socket has the next number.
    ///
    /// The folder has its certificate as `server.crt`, and that of somebody else as `other.crt`.
    static func secured(port: Int) throws -> TestServer {
        let certificate = """
            certify() { openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=server \
                -addext subjectAltName=IP:127.0.0.1 -keyout "$1.key" -out "$1.crt" 2>/dev/null; chmod a+r "$1.crt"; }
            cd "$path"
            certify other
            certify server
            chmod 600 server.key
            [ "$(id -u)" != 0 ] || chown nobody server.key
            printf 'local replication all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n' >> data/pg_hba.conf
            """
        let standby = """
            $prefix "$programs/pg_basebackup" -h "$path" -p \(port) -U main -D "$path/standby" -R -X stream -c fast -N
            printf "port = \(port + 1)\nlisten_addresses = ''\n" >> "$path/standby/postgresql.conf"
            $prefix "$programs/pg_ctl" -D "$path/standby" -l "$path/standby.log" -w start >/dev/null
            """
        let settings = """
            fsync = off
            port = \(port)
            listen_addresses = '127.0.0.1'
            ssl = on
            ssl_cert_file = '../server.crt'
            ssl_key_file = '../server.key'
            """
        return try TestServer(
            settings: settings, port: port, copying: cluster(), beforeStart: certificate, afterStart: standby)
    }

    private init(
        settings: String, port: Int = 5432, copying cluster: String?, beforeStart: String = "", afterStart: String = ""
    ) throws {
        self.port = port
        let programs = try Self.programs()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "postgres-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // PostgreSQL refuses to run as root.
        let prefix = getuid() == 0 ? "runuser -u nobody -- " : ""
        let (data, path) = (folder.path + "/data", folder.path)
        let script = """
            set -e
            path='\(path)' programs='\(programs)' prefix='\(prefix)'
            \(getuid() == 0 ? "chown nobody '\(path)'" : ":")
            cluster='\(cluster ?? path + "/cluster")'
            [ -d "$cluster" ] || $prefix "$programs/initdb" -D "$cluster" -U main -A trust --locale=C --encoding=UTF8 \
                --no-sync >/dev/null
            $prefix cp -R "$cluster" "$path/data"
            cat >> '\(data)/postgresql.conf' <<END
            listen_addresses = ''
            unix_socket_directories = '\(path)'
            shared_buffers = 64MB
            wal_level = logical
            max_wal_senders = 200
            max_replication_slots = 200
            \(settings)
            END
            printf 'local all locked scram-sha-256\nlocal all all trust\n' > '\(data)/pg_hba.conf'
            \(beforeStart)
            \(prefix)'\(programs)/pg_ctl' -D '\(data)' -l '\(path)/log' -w start >/dev/null
            \(afterStart)
            printf started
            while read -r command; do
            \(prefix)'\(programs)/pg_ctl' -D '\(data)' -l '\(path)/log' -w $command </dev/null >/dev/null 2>&1 \
                && printf success || printf failure
            done
            for each in standby data; do
            \(prefix)'\(programs)/pg_ctl' -D "$path/$each" -m immediate stop >/dev/null 2>&1 || true
            done
            rm -rf '\(path)'
            """
        shell = try Shell(script)
        guard shell.receive(7) == "started" else {
            throw Failure(description: "PostgreSQL could not be started in \(path)")
        }
        try run(
            "CREATE ROLE locked LOGIN REPLICATION PASSWORD '\(Self.password.plain.replacing("'", with: "''"))'; "
                + "GRANT CREATE ON DATABASE postgres TO locked")
    }

    private static func programs() throws -> String {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        let newest = versions.compactMap { Int($0) }.max()
        guard let newest else { throw Failure(description: "PostgreSQL's server is not installed") }
        return "\(root)/\(newest)/bin"
    }

    /// The parameters of a store of its own, in a schema that is empty; `host` is what stands before the server.
    func store(host: String? = nil) throws -> String {
        "host=\(host ?? folder.path) port=\(port) user=main dbname=postgres options=-csearch_path=\(try schema())"
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

    private func run(_ sql: String) throws { try run(sql, on: parameters) }

    /// Runs statements by a connection of its own.
    func run(_ sql: String, on store: String) throws { try PostgresConnection(store).run(sql) }
}

// What is done to a server of a test's own.
extension TestServer {
    /// The parameters of the server itself.
    var parameters: String { "host=\(folder.path) port=\(port) user=main dbname=postgres" }

    /// The socket that the server listens on.
    var socket: String { folder.path + "/.s.PGSQL.5432" }

    /// Stops it, in one of the ways of `pg_ctl`: `immediate` is a crash.
    func stop(_ mode: String) throws { try control("-m \(mode) stop") }

    /// Starts it, and waits until it answers.
    func start() throws { try control("start") }

    /// The shell does it: what a server inherited from a process of its own would look as if that went on.
    private func control(_ command: String) throws {
        try shell.send(command)
        guard shell.receive(7) == "success" else { throw Failure(description: "pg_ctl could not \(command)") }
    }

    /// Ends a connection of somebody, whoever it is.
    func endSomeConnection() throws {
        try PostgresConnection(parameters).run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE \(Self.others) ORDER BY random() LIMIT 1")
    }

    /// Waits until nobody is connected any more; false when somebody stays.
    func isLeft() throws -> Bool {
        let connection = try PostgresConnection(parameters)
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            let rows = try connection.rows("SELECT count(*) FROM pg_stat_activity WHERE \(Self.others)")
            if rows == [[.integer(0)]] { return true }
        }
        return false
    }

    private static let others = "backend_type IN ('client backend', 'walsender') AND pid <> pg_backend_pid()"
}

extension RepositoryError {
    var isIO: Bool { if case .io = self { true } else { false } }
    var isCannotOpen: Bool { if case .cannotOpen = self { true } else { false } }
    var isOutcomeUnknown: Bool { if case .commitOutcomeUnknown = self { true } else { false } }
}
