import Foundation
import Testing

@testable import FilmServer

@Suite("The films over HTTP") struct FilmRoutesTests {
    private static let fargo = #"{"title": "Fargo", "studio": "Gramercy", "boxOffice": 60611975.25}"#

    @Test("A film is made, read, replaced, changed and deleted")
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

            #expect(try await server.send("DELETE", path).status == 204)
            #expect(try await server.send("GET", path).status == 404)
            #expect(try await server.send("DELETE", path).status == 404)
            #expect(try await server.send("PUT", path, Self.fargo).status == 404)
        }
    }

    @Test(
        "A PATCH sets what it names, clears what is null, and leaves the rest",
        arguments: [
            (#"{"title": "Tár"}"#, "Tár", "Gramercy", 1),
            (#"{"studio": null}"#, "Fargo", nil, 1),
            (#"{"studio": "Focus", "boxOffice": 2}"#, "Fargo", "Focus", 2),
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

    @Test(
        "What is wrong is refused, and nothing is stored",
        arguments: [
            ("PATCH", "/films/ID", "{}", 400), ("PATCH", "/films/ID", #"{"title": null}"#, 400),
            ("PATCH", "/films/ID", #"{"id": "7"}"#, 400), ("PATCH", "/films/ID", #"{"boxOffice": 0.00001}"#, 422),
            ("PATCH", "/films/7", #"{"title": "x"}"#, 404), ("POST", "/films", #"{"title": "x"}"#, 400),
            ("POST", "/films", "no JSON", 400), ("GET", "/films?size=0", nil, 400),
            ("GET", "/films?size=many", nil, 400), ("GET", "/films?after=nonsense", nil, 400),
            ("GET", "/film", nil, 404),
        ] as [(String, String, String?, Int)])
    func wrong(method: String, path: String, body: String?, status: Int) async throws {
        try await Server.run { server in
            let film = Film(id: UUID(), title: "Fargo", boxOffice: 1)
            try await server.repository.create(film).value()
            let answer = try await server.send(method, path.replacing("ID", with: film.id.uuidString), body)
            #expect(answer.status == status, "\(answer.text)")
            #expect(try await server.repository.fetch(Film.all).value() == [film])
        }
    }

    @Test("Pages give every film once, in order, while others come")
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
