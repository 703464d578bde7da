import Foundation
import SignalRepository
import Signals
import Synchronization
import Testing

@testable import FilmServer

@Suite("Stores and a server come to the same films over HTTP") struct SyncTests {
    /// A store that syncs.
    private struct Client {
        let name: String
        let repository: SQLiteRepository

        init(_ name: String) throws {
            self.name = name
            repository = try SQLiteRepository(
                .inMemory, entities: Film.self, SyncState.self, history: .kept(for: .seconds(86_400)))
        }

        @discardableResult
        func sync(_ server: Server) async throws -> FilmSync.Outcome {
            try await FilmSync(repository, with: server.base.appending(path: "films"), as: name).run()
        }
    }

    private static func film(_ number: Int, _ title: String) -> Film {
        Film(id: id(number), title: title, studio: number % 2 == 0 ? "S" : nil, boxOffice: Decimal(number) / 100)
    }

    private static func id(_ number: Int) -> UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number >> 8), UInt8(number & 255)))
    }

    private static func films(_ repository: any Repository) async throws -> [Film] {
        try await repository.fetch(Film.all.sorted(by: \.id)).value()
    }

    @Test("What one changes the others get; a conflict is told, and the server's film stays")
    func conflicts() async throws {
        try await Server.run { server in
            let (ann, bob) = (try Client("ann"), try Client("bob"))
            try await ann.repository.insert([Self.film(1, "one"), Self.film(2, "two")]).value()
            #expect(try await ann.sync(server) == FilmSync.Outcome(sent: 2, received: 0, conflicts: []))
            #expect(try await bob.sync(server) == FilmSync.Outcome(sent: 0, received: 2, conflicts: []))
            #expect(try await ann.sync(server) == FilmSync.Outcome(sent: 0, received: 0, conflicts: []))
            #expect(try await bob.sync(server) == FilmSync.Outcome(sent: 0, received: 0, conflicts: []))
            try await ann.repository.update(Self.film(1, "ann's")).value()
            try await bob.repository.update(Self.film(1, "bob's")).value()
            try await bob.repository.delete(Film.self, id: Self.id(2)).value()
            #expect(try await bob.sync(server) == FilmSync.Outcome(sent: 2, received: 0, conflicts: []))
            #expect(try await ann.sync(server) == FilmSync.Outcome(sent: 1, received: 2, conflicts: [Self.id(1)]))
            for repository in [ann.repository, bob.repository, server.repository] {
                #expect(try await Self.films(repository) == [Self.film(1, "bob's")])
            }
            // Over HTTP too, beside the clients that sync.
            #expect(try await server.send("DELETE", "films/\(Self.id(1))").status == 204)
            try await ann.repository.update(Self.film(1, "again")).value()
            #expect(try await ann.sync(server).conflicts == [Self.id(1)])
            #expect(try await Self.films(ann.repository).isEmpty)
        }
    }

    @Test(
        "After random changes on three sides, all have the same, and what one side alone changes is as it left it",
        arguments: 0..<6)
    func random(seed: UInt64) async throws {
        try await Server.run { server in
            var random = Random(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)
            let clients = [try Client("a"), try Client("b")]
            let sides: [any Repository] = clients.map(\.repository) + [server.repository]
            var own = [[UUID: Film]](repeating: [:], count: sides.count)
            for step in 0..<80 {
                let side = Int.random(in: 0..<sides.count, using: &random)
                // Numbers below 5 are everybody's.
                let isShared = Bool.random(using: &random)
                let number = Int.random(in: 0..<5, using: &random) + (isShared ? 0 : 10 * (side + 1))
                let film = Self.film(number, "\(side) \(step)")
                switch Int.random(in: 0..<4, using: &random) {
                case 0 where side < 2: try await clients[side].sync(server)
                case 1:
                    try await sides[side].delete(Film.self, where: \.id == film.id).value()
                    if !isShared { own[side][film.id] = nil }
                default:
                    try await sides[side].upsert(film).value()
                    if !isShared { own[side][film.id] = film }
                }
            }
            for client in clients + clients { try await client.sync(server) }
            let end = try await Self.films(server.repository)
            for client in clients { #expect(try await Self.films(client.repository) == end) }
            for (side, films) in own.enumerated() {
                let range = Set((0..<5).map { Self.id($0 + 10 * (side + 1)) })
                #expect(
                    end.filter { range.contains($0.id) } == films.values.sorted { $0.id.uuidString < $1.id.uuidString })
            }
        }
    }

    @Test("With a server that does not know the client, each gets what it lacks, and nothing is deleted")
    func unknown() async throws {
        let ann = try Client("ann")
        try await ann.repository.insert([Self.film(1, "one"), Self.film(2, "two")]).value()
        try await Server.run { server in try await ann.sync(server) }
        try await Server.run { server in
            try await server.repository.insert([Self.film(2, "another"), Self.film(3, "three")]).value()
            try await ann.repository.create(Self.film(4, "four")).value()
            #expect(try await ann.sync(server).conflicts == [Self.id(2)])
            let all = [Self.film(1, "one"), Self.film(2, "another"), Self.film(3, "three"), Self.film(4, "four")]
            #expect(try await Self.films(ann.repository) == all)
            #expect(try await Self.films(server.repository) == all)
            #expect(try await ann.sync(server) == FilmSync.Outcome(sent: 0, received: 0, conflicts: []))
        }
    }

    @Test("A sync that fails has done nothing here, and the next one does it all")
    func failed() async throws {
        let ann = try Client("ann")
        try await ann.repository.create(Self.film(1, "one")).value()
        let nowhere = FilmSync(ann.repository, with: try #require(URL(string: "http://127.0.0.1:1/films")), as: "ann")
        await #expect(throws: URLError.self) { try await nowhere.run() }
        #expect(try await ann.repository.count(SyncState.self).value() == 0)
        try await Server.run { server in
            #expect(try await ann.sync(server).sent == 1)
            let bad = try await server.send("POST", "films/sync", #"{"client": "x"}"#)
            #expect(bad.status == 400)
        }
    }
}

/// Random numbers that are the same each time.
private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
