import Foundation
import Signals
import SignalsTesting
import TestTraits
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// How long a connection waits for a silent server, and how a wait is stopped.
@Suite("R9 R12 Waiting for a server", .timeLimit(.minutes(10))) struct ConnectionWaitsTests {
    private let server: TestServer

    init() throws { server = try TestServer.shared.get() }

    private func connect(_ parameters: String, silence: Duration) throws -> PostgresConnection {
        var string = try ConnectionString(parameters)
        string.silence = silence
        return try PostgresConnection(string)
    }

    /// The error of a statement that is stopped as soon as it is under way.
    private func refusal(of sql: String, on connection: PostgresConnection) throws -> RepositoryError {
        let flag = CancellationFlag()
        flag.cancel()
        return try thrown { () throws(RepositoryError) in
            try connection.withCancellation(flag) { () throws(RepositoryError) in try connection.run(sql) }
        }
    }

    @Test("A running statement is stopped at once, however long the server may be silent, and whatever else it sends")
    func stopped() throws {
        let connection = try connect(server.store(), silence: .seconds(3_600))
        let talking = """
            DO $$ BEGIN FOR i IN 1..100 LOOP RAISE NOTICE 'a'; PERFORM pg_sleep(0.001); END LOOP; \
            PERFORM pg_sleep(3600); END $$
            """
        for sql in ["SELECT pg_sleep(3600)", talking] {
            let error = try refusal(of: sql, on: connection)
            #expect(error.isCancelled && connection.isOpen, "\(error)")
        }
        #expect(try connection.rows("SELECT 7::bigint") == [[.integer(7)]])
        #expect(connection.generation == 1)
    }

    @Test("A cancellation flag applies to its own work, and the outer one is restored afterwards")
    func flags() throws {
        let connection = try PostgresConnection(server.store())
        let flag = CancellationFlag()
        connection.withCancellation(flag) {
            #expect(connection.flag === flag)
            connection.withCancellation(nil) { #expect(connection.flag == nil) }
            #expect(connection.flag === flag)
        }
        #expect(connection.flag == nil)
    }

    @Test("A server that is silent for long, but answers other connections, is awaited")
    func silent() throws {
        let connection = try connect(server.store(), silence: .milliseconds(5))
        #expect(try connection.rows("SELECT 7::bigint FROM pg_sleep(0.1)") == [[.integer(7)]])
        #expect(connection.generation == 1)
    }

    @Test("A server that does not accept a cancel request is given up")
    func unstoppable() throws {
        let proxy = try ServerProxy(to: server.socket)
        // A check whether the server is there would also wait forever.
        let parameters = try server.store(host: proxy.folder.path) + " connect_timeout=0"
        let connection = try connect(parameters, silence: .milliseconds(50))
        let path = proxy.folder.path + "/.s.PGSQL.5432"
        try FileManager.default.removeItem(atPath: path)
        let mute = Self.listener(at: path)
        defer { close(mute) }
        let handle = try #require(connection.handle)
        #expect(!PostgresConnection.cancel(handle, waiting: .milliseconds(20)))
        let error = try refusal(of: "SELECT pg_sleep(60)", on: connection)
        #expect(error.isIO && !connection.isOpen, "\(error)")
        // There is nothing to stop on a lost connection.
        #expect(PostgresConnection.cancel(handle, waiting: .zero))
        connection.close()
    }

    /// A socket that accepts connections and never answers.
    private static func listener(at path: String) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        listen(descriptor, 10)
        return descriptor
    }

    @Test("answers(_:asOf:) checks the server of a connection, and accepts(_:) all servers that are named")
    func answering() throws {
        let connection = try PostgresConnection(server.store())
        let handle = try #require(connection.handle)
        #expect(PostgresConnection.answers("host=/nowhere", asOf: handle))
        #expect(PostgresConnection.accepts(server.parameters))
        #expect(!PostgresConnection.accepts("host=/nowhere"))
        connection.close()
    }

    @Test("The notices and warnings of a server are not printed", .prompt) func remarks() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let connection = try PostgresConnection(TestServer.shared.get().parameters)
            try connection.run("DO $$ BEGIN RAISE WARNING 'a remark'; END $$")
            connection.close()
        }
        let output = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? "no output"
        #expect(!output.contains("a remark"), "\(output)")
    }
}
