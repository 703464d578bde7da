import Foundation
import SignalRepository
import Testing

@testable import SignalRepositoryPostgres

@Suite("A connection string, and the password in it", .timeLimit(.minutes(10)))
struct ConnectionStringTests {
    private let server: TestServer

    init() throws { server = try TestServer.shared.get() }

    private func refusal(_ parameters: String) -> String {
        do throws(RepositoryError) {
            _ = try PostgresRepository(parameters, entities: Film.self)
            return "It was opened."
        } catch {
            var dumped = ""
            dump(error, to: &dumped)
            return "\(error) \(String(reflecting: error)) \(dumped)"
        }
    }

    private static let secrets = ["s3cret", "hunter2"]

    @Test(
        "A connection string that libpq cannot read, or would misread, is refused without quoting it",
        arguments: [
            "postgresql://me:s3cret%zzhunter2@host/films", "postgres://me:s3cret%00hunter2@host/films",
            "postgresql://me:s3cret@hunter2@host/films", "postgresql://me:s3cret/hunter2@host/films",
            "postgresql://me:s3cret@hunter2/x@host/films", "postgresql://me:s3cret?x@hunter2@host/films",
            "postgresql://me:s3cret/x?hunter2@host/films", "postgresql://me:s3cret/x?hunter2=x@host/films",
            "postgresql://me@host/films?password=s3cret=hunter2", "postgresql://me@host/films?password=s3cret&hunter2",
            "postgresql://me@[::1/films?password=s3cret", "postgresql://me:s3cret@[::1]hunter2/films",
            "postgressql://me:s3cret@host/hunter2", "user=me password=s3cret hunter2", "password='s3cret",
            "password=s3cret hunter2=x", "hunter2", "password=s3cret\0hunter2",
            // P16: the password stands where messages quote something else.
            "postgresql://me:s3cret/films", "postgresql://me:s3cret?hunter2=x", "host=me:s3cret@hunter2 dbname=films",
            "host=me:s3cret dbname=hunter2", "dbname=postgresql://me:s3cret@hunter2/films", "port=s3cret host=hunter2",
        ])
    func unreadable(parameters: String) {
        let text = refusal(parameters)
        #expect(text.contains("the connection string is not valid: "), "\(text)")
        #expect(!Self.secrets.contains { text.contains($0) }, "\(text)")
    }

    @Test("A server that is missing, or that refuses, is named without the password")
    func refused() throws {
        let parameters = [
            ("postgresql://me:s3cret@%2Fnowhere/films?connect_timeout=5", "No such file or directory"),
            ("host=/nowhere user=me password='s3cret hunter2' dbname=films", "postgresql:///nowhere:5432/films"),
            ("host=/nowhere,/nobody password=s3cret", "; "),
            (try server.uri(user: "locked", password: "s3cret"), "password authentication failed"),
            (try server.uri(user: "locked"), "no password supplied"),
            (
                try server.uri(user: "locked", password: TestServer.password.encoded, database: "none"),
                "\"none\" does not"
            ),
            ("sslmode=hunter3 password=s3cret", "sslmode"), ("port=ten password=s3cret", "port"),
            ("service=none password=s3cret", "definition of service"),
        ]
        for (text, reason) in parameters {
            let text = refusal(text)
            #expect(text.contains(reason), "\(text)")
            let secrets = Self.secrets + [TestServer.password.plain, TestServer.password.encoded]
            #expect(!secrets.contains { text.contains($0) } && !text.contains("\n\t"), "\(text)")
        }
    }

    @Test("The right password opens the store, and appears neither in the statement log nor in the repository's mirror")
    func opened() async throws {
        let text = try server.uri(user: "locked", password: TestServer.password.encoded)
        let (reports, reporting) = AsyncStream.makeStream(of: StatementReport.self)
        var configuration = RepositoryConfiguration()
        configuration.statementLog = StatementLog { reporting.yield($0) }
        let repository = try PostgresRepository(text, entities: Film.self, configuration: configuration)
        try await repository.create(Film.numbered(1)).value()
        #expect(try await repository.count(Film.self).value() == 1)
        await expectFailure(\.isMisuse) {
            try await repository.read { try $0.rows("SELECT nonsense FROM \"Film\"").count }.value()
        }
        var dumped = "\(repository) \(String(reflecting: repository))"
        dump(repository, to: &dumped)
        #expect(dumped.contains("PostgresStore"))
        for await report in reports {
            dumped += "\(report)"
            if report.sql.contains("count") { break }
        }
        await closed(repository)
        for secret in [TestServer.password.plain, TestServer.password.encoded, "pa55"] {
            #expect(!dumped.contains(secret))
        }
        #expect(try "\(ConnectionString(text))" == "a connection string")
    }

    @Test("A URI finds the same server as keywords, also with special characters in a quoted value")
    func spellings() async throws {
        let uri = try server.uri(user: "locked", password: TestServer.password.encoded)
        let first = try PostgresRepository(uri, entities: Film.self)
        try await first.create(Film.numbered(1)).value()
        await closed(first)
        let parts = try #require(URLComponents(string: uri))
        let schema = try #require(parts.queryItems?.first?.value)
        let host = try #require(uri.split(separator: "@").last?.split(separator: "/").first?.removingPercentEncoding)
        let password = TestServer.password.plain.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
        let second = try PostgresRepository(
            "host = \(host) user=locked password='\(password)' dbname=postgres options=\(schema)",
            entities: Film.self)
        #expect(try await second.fetch(Film.all).value() == [Film.numbered(1)])
        await closed(second)
    }
}
