import Foundation
import Signals
import SignalsTesting
import TestTraits
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

@Suite("Connecting as libpq does", .timeLimit(.minutes(10))) struct ConnectingTests {
    /// A free port; the standby uses the next one.
    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let number = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
        try #require(number)
        return Int(UInt16(bigEndian: address.sin_port))
    }

    @Test("Settings for files only are refused before the server is contacted")
    func settingsOfFiles() async {
        let settings: [(inout RepositoryConfiguration) -> Void] = [
            { $0.key = EncryptionKey("secret") },
            { $0.history = .kept(for: .seconds(60)) },
            { $0.functions = [SQLFunction("one") { (number: Int) in number }] },
            { $0.collations = [SQLCollation("any") { _, _ in false }] },
            { $0.attached = [AttachedFile("a.sqlite", as: "a", entities: Film.self)] },
        ]
        for set in settings {
            var configuration = RepositoryConfiguration()
            set(&configuration)
            await expectFailure({ $0.isMisuse && !"\($0)".contains("secret") }) {
                let server = "host=/nowhere"
                return try PostgresRepository(server, entities: Film.self, configuration: configuration)
            }
        }
    }

    @Test("TLS and SCRAM as the connection string demands, and R12 P4 a standby that refuses writes and a stream")
    func secured() async throws {
        let port = try Self.freePort()
        let server = try TestServer.secured(port: port)
        try await encrypted(server, port: port)
        try await standby(server, port: port)
        try await promoted(server, port: port)
    }

    private func encrypted(_ server: TestServer, port: Int) async throws {
        let password = TestServer.password.plain.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
        func parameters(_ more: String, password: String = password) -> String {
            "host=127.0.0.1 port=\(port) user=locked password='\(password)' dbname=postgres "
                + "options=-csearch_path=secured \(more)"
        }
        try server.run("CREATE SCHEMA secured; GRANT ALL ON SCHEMA secured TO PUBLIC", on: server.parameters)
        let (own, other) = (server.folder.path + "/server.crt", server.folder.path + "/other.crt")
        for (number, mode) in ["sslmode=require", "sslmode=verify-full sslrootcert=\(own)"].enumerated() {
            let repository = try PostgresRepository(parameters(mode), entities: Film.self)
            try await repository.create(Film.numbered(number)).value()
            let rows = try await repository.read { store in
                try store.rows("SELECT ssl::int FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
            }.value()
            #expect(rows == [[.integer(1)]])
            await closed(repository)
        }
        let refused = [
            (parameters("sslmode=disable"), "no encryption"),
            (parameters("sslmode=verify-full sslrootcert=\(other)"), "certificate verify failed"),
            (parameters("sslmode=verify-full sslrootcert=/nowhere"), "root certificate file"),
            (parameters("sslmode=require", password: "wrong"), "password authentication failed"),
        ]
        for (parameters, reason) in refused {
            let error = try thrown { () throws(RepositoryError) in
                try PostgresRepository(parameters, entities: Film.self)
            }
            #expect(error.isCannotOpen && "\(error)".contains(reason), "\(error)")
            #expect(!"\(error)".contains("pa55") && !"\(error)".contains("wrong"), "\(error)")
        }
    }

    private func standby(_ server: TestServer, port: Int) async throws {
        let own = "host=\(server.folder.path) user=main dbname=postgres options=-csearch_path=copied"
        try server.run("CREATE SCHEMA copied", on: server.parameters)
        let first = try PostgresRepository("\(own) port=\(port)", entities: Film.self)
        let position = try await first.transaction { store in
            try store.create(Film.numbered(1))
        }.value()
        #expect(position == Film.numbered(1))
        let behind = "\(own) port=\(port + 1)"
        // Waits until the standby has the tables.
        let second = try await opened(behind)
        let counts = second.countSubscription(Film.self).record()
        _ = await counts.values(until: { $0 == 1 })
        #expect(try await second.fetch(Film.all).value() == [Film.numbered(1)])
        try await first.create(Film.numbered(2)).value()
        // A standby sends no notifications, so it is polled.
        #expect(await counts.last(where: { $0 == 2 }) == 2)
        await expectFailure(\.isReadOnly) { try await second.create(Film.numbered(3)).value() }
        await expectFailure(\.isReadOnly) {
            try await second.transaction { try $0.delete(Film.self) { _ in .true } }.value()
        }
        // With its tables there, opening would write nothing; without them it would.
        for entity: any Entity.Type in [Film.self, Measure.self] {
            let error = try thrown { () throws(RepositoryError) in
                try PostgresRepository(behind, entities: [entity])
            }
            #expect(error.isReadOnly && "\(error)".contains("standby"), "\(error)")
        }
        // P4: a standby streams nothing, so live values would never change.
        let refusal = try thrown { () throws(RepositoryError) in
            try PostgresRepository(
                behind, entities: Film.self, liveSource: .replication,
                configuration: RepositoryConfiguration(access: .readOnly))
        }
        #expect(refusal.isCannotOpen && "\(refusal)".contains("standby"), "\(refusal)")
        await closed(second)
        await closed(first)
    }

    /// Opens the store on a standby, once the standby has it.
    private func opened(_ parameters: String) async throws -> PostgresRepository {
        let deadline = ContinuousClock.now + .seconds(20)
        while true {
            do throws(RepositoryError) {
                return try PostgresRepository(
                    parameters, entities: Film.self, configuration: RepositoryConfiguration(access: .readOnly))
            } catch {
                guard ContinuousClock.now < deadline else { throw error }
                await Task.yield()
            }
        }
    }

    @Test("A password in the environment is used, and a wrong one is shown nowhere", .prompt)
    func environment() async {
        await #expect(processExitsWith: .success) {
            let server = try TestServer.shared.get()
            let parameters = try server.uri(user: "locked")
            setenv("PGPASSWORD", TestServer.password.plain, 1)
            let repository = try PostgresRepository(parameters, entities: Film.self)
            try await repository.create(Film.numbered(1)).value()
            await closed(repository)
            setenv("PGPASSWORD", "hunter2", 1)
            let error = try thrown { () throws(RepositoryError) in
                try PostgresRepository(parameters, entities: Film.self)
            }
            #expect(error.isCannotOpen && "\(error)".contains("password authentication failed"), "\(error)")
            var dumped = ""
            dump(error, to: &dumped)
            #expect(!dumped.contains("hunter2") && !"\(error)".contains("hunter2"))
        }
    }

    /// A listener polls a standby for its position, and listens once it is promoted.
    private func promoted(_ server: TestServer, port: Int) async throws {
        let behind = "host=\(server.folder.path) port=\(port + 1) user=main dbname=postgres"
        let (first, standby) = (try PostgresConnection(server.parameters), try PostgresConnection(behind))
        let listener = try PostgresListener(
            ConnectionString("\(behind) application_name=asking"), interval: .milliseconds(1))
        let received = ReceivedLog()
        let log = received.log
        listener.start(log, poll: {})
        /// Whether nothing was recorded while the standby was polled several times.
        func wasQuiet() throws -> Bool {
            let number = log.number
            let asked = "SELECT query_start::text FROM pg_stat_activity WHERE application_name = 'asking'"
            for _ in 0..<4 {
                let last = try standby.rows(asked)
                while try standby.rows(asked) == last {}
            }
            return log.number == number
        }
        // The server sometimes writes by itself.
        var isQuiet = false
        for _ in 0..<1_000 where !isQuiet { isQuiet = try wasQuiet() }
        #expect(isQuiet && !listener.isListening)
        let (number, epoch) = (log.number, listener.epoch)
        try first.run("CREATE TABLE asked (x bigint)")
        while log.number == number { await Task.yield() }
        #expect(listener.epoch == epoch)
        let isPromoted = try standby.rows("SELECT pg_promote(true)")
        #expect(isPromoted == [[.integer(1)]])
        while !listener.isListening { await Task.yield() }
        #expect(listener.epoch != epoch)
        // Now it is notified, and polls no more.
        try standby.run("NOTIFY signal_repository, 'public.asked'")
        var tables: [DirtyTables] = []
        while !tables.contains(DirtyTables.some(["asked"])) {
            await Task.yield()
            tables += received.take()
        }
        listener.close()
        for connection in [first, standby] { connection.close() }
    }
}
