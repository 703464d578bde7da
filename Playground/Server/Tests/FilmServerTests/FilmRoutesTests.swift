import Foundation
import Hummingbird
import SignalRepository
import Testing

@testable import FilmServer

@Suite("The films over HTTP") struct FilmRoutesTests {
    private static let fargo = #"{"title": "Fargo", "studio": "Gramercy", "boxOffice": 60611975.25}"#

    @Test("A film is created, read, replaced, changed and deleted")
    func lifeOfAFilm() async throws {
        try await Server.run { server in
            let made = try await server.send("POST", "/films", Self.fargo)
            #expect(made.status == 201)
            var film = try made.decoded(Film.self)
            let path = "/films/\(film.id)"
            #expect(made.location == path)
            #expect(try await server.send("GET", path).decoded(Film.self) == film)

            film.title = "Fargo (1996)"
            let replaced = try await server.send(
                "PUT", path, #"{"title": "Fargo (1996)", "studio": "Gramercy", "boxOffice": 60611975.25}"#)
            #expect(replaced.status == 200)
            #expect(try await server.repository.read(Film.self, id: film.id).value() == film)
            let whole = try #require(String(data: try JSONEncoder().encode(film), encoding: .utf8))
            #expect(try await server.send("PUT", path, whole).decoded(Film.self) == film)

            #expect(try await server.send("DELETE", path).status == 204)
            #expect(try await server.send("GET", path).status == 404)
            #expect(try await server.send("DELETE", path).status == 404)
            #expect(try await server.send("PUT", path, Self.fargo).status == 404)
        }
    }

    @Test(
        "A PATCH sets the fields that it names, clears those that are null, and leaves the rest",
        arguments: [
            (#"{"title": "Tár"}"#, "Tár", "Gramercy", 1),
            (#"{"studio": null}"#, "Fargo", nil, 1),
            (#"{"studio": "Focus", "boxOffice": 2}"#, "Fargo", "Focus", 2), ("{}", "Fargo", "Gramercy", 1),
        ] as [(String, String, String?, Decimal)])
    func patch(body: String, title: String, studio: String?, boxOffice: Decimal) async throws {
        try await Server.run { server in
            let film = Film(id: UUID(), title: "Fargo", studio: "Gramercy", boxOffice: 1)
            try await server.repository.create(film).value()
            let patched = try await server.send("PATCH", "/films/\(film.id)", body)
            #expect(patched.status == 200)
            let expected = Film(id: film.id, title: title, studio: studio, boxOffice: boxOffice)
            #expect(try patched.decoded(Film.self) == expected)
            #expect(try await server.repository.fetch(Film.all).value() == [expected])
        }
    }

    private static let otherID = UUID().uuidString

    @Test(
        "W10 W11 Long texts and large numbers are refused on every route",
        arguments: [
            #"{"title": "\#(String(repeating: "x", count: 1_001))", "boxOffice": 1}"#,
            #"{"title": "x", "studio": "\#(String(repeating: "x", count: 201))", "boxOffice": 1}"#,
            #"{"title": "x", "boxOffice": 10000000001}"#, #"{"title": "x", "boxOffice": -922337203685477.5807}"#,
        ])
    func tooMuch(body: String) async throws {
        try await Server.run { server in
            let film = Film(id: UUID(), title: "Fargo", boxOffice: 1)
            try await server.repository.create(film).value()
            for (method, path) in [
                ("POST", "/films"), ("PUT", "/films/\(film.id)"), ("PATCH", "/films/\(film.id)"),
            ] {
                let answer = try await server.send(method, path, body)
                #expect(answer.status == 422, "\(method) \(answer.text)")
            }
            let takings = try await server.send("POST", "/films/\(film.id)/takings", #"{"amount": 10000000000}"#)
            #expect(takings.status == 422)
            #expect(try await server.repository.fetch(Film.all).value() == [film])
        }
    }

    @Test("W15 A refusal quotes little of the request")
    func short() async throws {
        try await Server.run { server in
            let names = (0..<100).map { "\"\($0)\(String(repeating: "x", count: 1_000))\": 1" }
            let answer = try await server.send("POST", "/films", "{\(names.joined(separator: ", "))}")
            #expect(answer.status == 400 && answer.body.count < 400, "\(answer.body.count)")
        }
    }

    @Test("W6 W7 W9 W17 No request names the client whose changes it sends, or sends an unbounded number of films")
    func noSync() async throws {
        try await Server.run { server in
            let call = #"{"client": "ann", "since": null, "changes": []}"#
            let answer = try await server.send("POST", "/films/sync", call)
            #expect(answer.status == 404)
        }
    }

    @Test(
        "A refusal names the problem, and nothing is stored",
        arguments: [
            ("PATCH", "/films/ID", #"{"title": null}"#, 400, "title"),
            ("PATCH", "/films/ID", #"{"id": "7"}"#, 400, "id is not one of title, studio, boxOffice."),
            ("PATCH", "/films/ID", #"{"studio": "x", "titel": "x", "year": 1}"#, 400, "titel, year is not one of"),
            ("PATCH", "/films/ID", #"{"boxOffice": "2"}"#, 400, "boxOffice"),
            ("PATCH", "/films/ID", #"{"boxOffice": 0.00001}"#, 422, "boxOffice"),
            ("PATCH", "/films/ID", "[1]", 400, "Dictionary"), ("PATCH", "/films/ID", "", 400, "JSON"),
            ("PATCH", "/films/7", #"{"title": "x"}"#, 404, "UUID"), ("PATCH", "/films/\(otherID)", "{}", 404, otherID),
            ("PUT", "/films/ID", #"{"id": "\#(otherID)", "title": "x", "boxOffice": 1}"#, 400, "id"),
            ("PUT", "/films/ID", #"{"id": "7", "title": "x", "boxOffice": 1}"#, 400, "id cannot be set"),
            ("POST", "/films", #"{"title": "x"}"#, 400, "boxOffice"), ("POST", "/films", "no JSON", 400, "JSON"),
            ("POST", "/films", #"{"title": "x", "boxOffice": 1, "year": 1}"#, 400, "year is not one of"),
            ("POST", "/films", #"{"title": 7, "boxOffice": 1}"#, 400, "title"),
            ("GET", "/films?size=0", nil, 400, "size"), ("GET", "/films?size=many", nil, 400, "size"),
            ("GET", "/films?after=nonsense", nil, 400, "after"), ("GET", "/film", nil, 404, ""),
            ("POST", "/films", #"{"title": "", "boxOffice": 1}"#, 422, "1 to 1000 bytes"),
        ] as [(String, String, String?, Int, String)])
    func wrong(method: String, path: String, body: String?, status: Int, name: String) async throws {
        try await Server.run { server in
            let film = Film(id: UUID(), title: "Fargo", boxOffice: 1)
            try await server.repository.create(film).value()
            let answer = try await server.send(method, path.replacing("ID", with: film.id.uuidString), body)
            let isNamed = name.isEmpty || answer.text.contains(name)
            #expect(answer.status == status && isNamed, "\(answer.status) \(answer.text)")
            #expect(try await server.repository.fetch(Film.all).value() == [film])
        }
    }

    @Test(
        "An HTTP error keeps its status in a transaction, and rolls it back",
        arguments: [
            ("-2", 409, "less than 0"), ("0.00001", 422, "boxOffice"), (#""2""#, 400, "amount"), ("-1", 200, "Fargo"),
        ] as [(String, Int, String)])
    func transaction(amount: String, status: Int, sentence: String) async throws {
        try await Server.run { server in
            let film = Film(id: UUID(), title: "Fargo", boxOffice: 1)
            try await server.repository.create(film).value()
            let answer = try await server.send("POST", "/films/\(film.id)/takings", #"{"amount": \#(amount)}"#)
            #expect(answer.status == status && answer.text.contains(sentence), "\(answer.status) \(answer.text)")
            let stored = try await server.repository.read(Film.self, id: film.id).value()
            #expect(stored.boxOffice == (status == 200 ? 0 : 1))
        }
    }

    @Test("An error that is not an HTTP response stays in the log when a transaction throws it")
    func transactionOfTheServer() throws {
        struct Secret: Error {}
        #expect(RepositoryError.rolledBack(by: ThrownError(Secret())).status == .internalServerError)
        #expect(RepositoryError.rolledBack(by: ThrownError(HTTPError(.gone))).status == .gone)
    }

    @Test("Pages give every film once, in order, while others are created")
    func pages() async throws {
        try await Server.run { server in
            let films = (0..<45).map { number in
                Film(id: UUID(), title: "Film \(number / 10)\(number % 10)", studio: "A", boxOffice: 0)
            }
            try await server.repository.insert(films).value()
            var (titles, path) = ([String](), "/films?size=20&studio=A")
            while true {
                let page = try await server.send("GET", path).decoded(ReadPage.self)
                titles += page.films.map(\.title)
                guard let next = page.next else { break }
                path = "/films?size=20&studio=A&after=\(next)"
                try await server.repository.create(Film(id: UUID(), title: "Earlier", studio: "A", boxOffice: 0))
                    .value()
            }
            #expect(titles == films.map(\.title))
        }
    }

    private struct ReadPage: Decodable {
        let films: [Film]
        let next: String?
    }
}
