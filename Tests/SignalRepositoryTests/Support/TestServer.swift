import Foundation
import SignalRepository
import Synchronization

@testable import SignalRepositoryPostgres

/// A PostgreSQL server for tests, whose data and socket are in a temporary folder.
///
/// The shared server starts when a test first needs it. A shell stops it when the test process ends, in whatever way. A
/// test can stop and start a server that it made for itself, which is removed with the object.
final class TestServer: Sendable {
    /// The shared server, or the reason why it could not be started.
    static let shared = Result {
        // The data is removed with the server, so it need not survive a crash.
        let settings = "fsync = off\nfull_page_writes = off\nautovacuum = off\njit = off\nmax_connections = 400"
        return try TestServer(settings: settings, copying: nil)
    }

    let folder: URL
    private let port: Int
    private let schemas = Atomic(0)
    /// The shell that runs the server until its input is closed.
    private let shell: Shell

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Starts a server for one test, which syncs to disk like one in production.
    convenience init(durableWith settings: String) throws {
        try self.init(settings: "fsync = on\n" + settings, copying: Self.cluster())
    }

    /// The initial data of the shared server, which is faster to copy than to make.
    private static func cluster() throws -> String { try shared.get().folder.path + "/cluster" }

    /// Starts a server for one test that also accepts TCP, only with TLS and a password, and starts a standby.
    ///
    /// The standby's socket has the next number. The folder has the server's certificate as `server.crt`, and an
    /// unrelated one as `other.crt`.
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

    /// Returns the parameters of a new store in an empty schema; `host` names a proxy in front of the server.
    func store(host: String? = nil) throws -> String {
        "host=\(host ?? folder.path) port=\(port) user=main dbname=postgres options=-csearch_path=\(try schema())"
    }

    /// Returns the URI of a new store; of the roles, only `locked` needs a password.
    func uri(user: String = "main", password: String? = nil, database: String = "postgres") throws -> String {
        let host = folder.path.replacing("/", with: "%2F")
        let credentials = user + (password.map { ":" + $0 } ?? "")
        return "postgresql://\(credentials)@\(host)/\(database)?options=-csearch_path%3D\(try schema())"
    }

    /// The password of the role `locked`, plain and as it is encoded in a URI.
    static let password = (plain: "pa55 w%rd'/@é", encoded: "pa55%20w%25rd%27%2F%40%C3%A9")

    private func schema() throws -> String {
        let name = "test\(schemas.add(1, ordering: .relaxed).newValue)"
        try run("CREATE SCHEMA \(name); GRANT ALL ON SCHEMA \(name) TO PUBLIC")
        return name
    }

    private func run(_ sql: String) throws { try run(sql, on: parameters) }

    /// Runs statements on a new connection.
    func run(_ sql: String, on store: String) throws { try PostgresConnection(store).run(sql) }
}

// Control of a server that belongs to one test.
extension TestServer {
    /// The parameters of the server itself.
    var parameters: String { "host=\(folder.path) port=\(port) user=main dbname=postgres" }

    /// The socket that the server listens on.
    var socket: String { folder.path + "/.s.PGSQL.5432" }

    /// Stops the server in a mode of `pg_ctl`; `immediate` is a crash.
    func stop(_ mode: String) throws { try control("-m \(mode) stop") }

    /// Starts the server, and waits until it answers.
    func start() throws { try control("start") }

    /// Runs a command of `pg_ctl` in the shell.
    ///
    /// A server that the test process started would inherit its descriptors, so the process would seem to run on.
    private func control(_ command: String) throws {
        try shell.send(command)
        guard shell.receive(7) == "success" else { throw Failure(description: "pg_ctl could not \(command)") }
    }

    /// Ends a random connection.
    func endSomeConnection() throws {
        try PostgresConnection(parameters).run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE \(Self.others) ORDER BY random() LIMIT 1")
    }

    /// Waits until no other connection is left; `false` if one remains after 20 seconds.
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
