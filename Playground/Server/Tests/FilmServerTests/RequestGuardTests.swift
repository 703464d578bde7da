import Foundation
import ServingTesting
import SignalRepository
import Testing

@testable import FilmServer
@testable import Serving

@Suite("Requests that the server accepts", .timeLimit(.minutes(1))) struct RequestGuardTests {
    private static let film = #"{"title": "Heat", "boxOffice": 1}"#

    @Test(
        "W1 Requests that other sites make a browser send are refused, and nothing is stored",
        arguments: [
            (["Origin": "http://evil.example"], 403), (["Origin": "null"], 403), (["Content-Type": "text/plain"], 415),
            (["Origin": "http://evil.example", "Content-Type": "text/plain"], 403),
            (["Content-Type": "application/x-www-form-urlencoded"], 415), (["Host": "evil.example"], 421),
            (["Sec-Fetch-Site": "cross-site"], 403), (["Sec-Fetch-Site": "same-site"], 403),
        ])
    func otherSites(headers: [String: String], status: Int) async throws {
        try await Server.run { server in
            let film = Film(id: UUID(), title: "Fargo", boxOffice: 1)
            try await server.repository.create(film).value()
            for (method, path, body) in [
                ("POST", "/films", Self.film), ("POST", "/films/\(film.id)/takings", #"{"amount": 1}"#),
                ("PUT", "/films/\(film.id)", Self.film), ("PATCH", "/films/\(film.id)", #"{"title": "Heat"}"#),
            ] {
                let answer = try await server.send(method, path, body, headers: headers)
                #expect(answer.status == status, "\(method) \(answer.text)")
            }
            if headers["Content-Type"] == nil {
                #expect(try await server.send("DELETE", "/films/\(film.id)", headers: headers).status == status)
                #expect(try await server.send("GET", "/films", headers: headers).status == status)
                #expect(try await server.send("GET", "/films/totals", headers: headers).status == status)
            }
            #expect(try await server.repository.fetch(Film.all).value() == [film])
        }
    }

    @Test("W1 The smallest server refuses them, too")
    func smallest() async throws {
        let repository = try SQLiteRepository(.inMemory, entities: Todo.self)
        let address = ServerAddress(port: 0)
        try await Server.run(
            repository,
            { ServerLimits().application(todoRouter(repository, at: address), at: address, started: $0) }
        ) { server in
            for (headers, status) in [
                (["Host": "evil.example"], 421), (["Origin": "null"], 403), (["Content-Type": "text/plain"], 415),
            ] {
                let answer = try await server.send("POST", "/todos", #"{"id": 0, "text": "bread"}"#, headers: headers)
                #expect(answer.status == status)
            }
            let count = try await repository.count(Todo.self).value()
            #expect(count == 0)
        }
    }

    @Test("A program, the server's own pages, a link of another site, and a proxy with TLS are accepted")
    func own() async throws {
        try await Server.run(site: "https://films.example.org") { server in
            let port = try #require(server.base.port)
            for headers in [
                [:], ["Origin": "http://127.0.0.1:\(port)", "Sec-Fetch-Site": "same-origin"], ["Host": "localhost:1"],
                ["Host": "films.example.org", "Origin": "https://films.example.org"],
                ["Content-Type": "Application/JSON; charset=utf-8"],
            ] {
                let answer = try await server.send("POST", "/films", Self.film, headers: headers)
                #expect(answer.status == 201, "\(headers): \(answer.text)")
            }
            let link = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"]
            #expect(try await server.send("GET", "/films", headers: link).status == 200)
            // Without TLS it would be another origin.
            let plain = ["Host": "films.example.org", "Origin": "http://films.example.org"]
            #expect(try await server.send("POST", "/films", Self.film, headers: plain).status == 403)
        }
    }

    @Test(
        "W14 An encoded Host is not the server's name",
        arguments: [
            "127.0.0.1%00.evil.example", "127.0.0.1\0.evil.example", "%6cocalhost", "ⅼocalhost", "localhost.", "",
            "127.0.0.1.evil.example", "evil.example:80", "user@127.0.0.1", "127.0.0.1/", "127.0.0.1:80:80",
            "127.0.0.1:99999", "127.0.0.1:x", "[::1", "[::1]x", "[evil]", "::1]", "[127.0.0.1]x:1", "0x7f.1",
        ])
    func encoded(authority: String) {
        #expect(!ServerAddress(port: 80).accepts(authority: authority))
    }

    @Test(arguments: ["127.0.0.1", "127.0.0.1:8080", "LocalHost:1", "[::1]", "[::1]:8080", "films", "films:80"])
    func plain(authority: String) {
        #expect(ServerAddress(host: "Films", port: 80).accepts(authority: authority))
    }

    @Test("W14 A second Host header is refused, and so is an encoded one")
    func secondHost() async throws {
        try await Server.run { server in
            let port = try #require(server.base.port)
            for (hosts, status) in [
                ("Host: 127.0.0.1\r\nHost: evil.example", "400"), ("Host: %6cocalhost", "421"),
                ("Host: 127.0.0.1%00.evil.example", "421"), ("Host: ⅼocalhost", "421"),
            ] {
                let client = try RawConnection(port: port)
                client.send(
                    "POST /films HTTP/1.1\r\n\(hosts)\r\nContent-Type: application/json\r\nContent-Length: "
                        + "\(Self.film.utf8.count)\r\n\r\n\(Self.film)")
                let answer = await client.received(until: "\r\n")
                #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(hosts): \(answer)")
            }
            #expect(try await server.repository.count(Film.self).value() == 0)
        }
    }

    @Test(
        "W8 A GET with a body is refused, and the server ends even if it does not read the body",
        arguments: ["Content-Length: 999999999", "Transfer-Encoding: chunked"])
    func body(header: String) async throws {
        try await Server.run { server in
            let client = try RawConnection(port: try #require(server.base.port))
            client.send("GET /films/totals HTTP/1.1\r\nHost: 127.0.0.1\r\n\(header)\r\n\r\n")
            #expect(await client.received(until: "\r\n").hasPrefix("HTTP/1.1 400"))
            let size = header.hasPrefix("Transfer") ? String(300_000, radix: 16) + "\r\n" : ""
            client.send(size + String(repeating: "x", count: 300_000))
            client.close()
            // The test ends when the server has ended.
        }
    }

    @Test("A sign-in accepts its tokens, and nothing that is almost a token")
    func signIn() async throws {
        let (first, second) = ("0123456789abcdef", "fedcba9876543210-long")
        try await Server.run(tokens: [first, second]) { server in
            for field in [
                nil, "", "Bearer", "Bearer ", first, "Basic \(first)", "Bearer \(first)x", "Bearer \(first.dropLast())",
                "Bearer 0123456789abcdeF", "Bearer \(first) ", "bearer \(second.dropLast())",
            ] {
                let headers = field.map { ["Authorization": $0] } ?? [:]
                let answer = try await server.send("GET", "/films", headers: headers)
                // White space at the end of a field is not a part of it.
                #expect(answer.status == (field == "Bearer \(first) " ? 200 : 401), "\(field ?? "nothing")")
            }
            for token in [first, second] {
                let headers = ["Authorization": "Bearer \(token)"]
                #expect(try await server.send("POST", "/films", Self.film, headers: headers).status == 201)
            }
        }
    }
}
