import Foundation
import Testing

@testable import FilmServer

// A response that does not end would hang the test.
@Suite("Events", .timeLimit(.minutes(1))) struct EventsTests {
    @Test("Totals follow each commit, and the live queries end when the client disconnects")
    func clientGoes() async throws {
        try await Server.run { server in
            var events = Events(try server.url("/films/totals"))
            #expect(try await events.next().map(Self.totals) == Totals(films: 0, boxOffice: 0))
            for number in 1...3 {
                try await server.repository.create(Film(id: UUID(), title: "Fargo", boxOffice: 7)).value()
                #expect(
                    try await events.next().map(Self.totals) == Totals(films: number, boxOffice: 7 * Decimal(number)))
            }
            #expect(server.repository.statistics.subscriptions == 1)
            events.close()
            // Otherwise the test ends by its time limit.
            while server.repository.statistics.subscriptions > 0 { await Task.yield() }
        }
    }

    @Test("Totals end when the server does, with a complete response")
    func serverEnds() async throws {
        try await Server.run { server in
            var events = Events(try server.url("/films/totals"))
            #expect(try await events.next().map(Self.totals) == Totals(films: 0, boxOffice: 0))
            await server.stop()
            #expect(try await events.next() == nil)
        }
    }

    @Test("W10 Totals that were too large for a column are sent as soon as they fit")
    func tooLarge() async throws {
        try await Server.run { server in
            // Not over HTTP, which refuses such numbers.
            let most = Decimal(Int64.max) / 10_000
            let films = (0..<2).map { Film(id: UUID(), title: "\($0)", boxOffice: most) }
            try await server.repository.insert(films).value()
            var events = Events(try server.url("/films/totals"))
            while server.repository.statistics.subscriptions == 0 { await Task.yield() }
            try await server.repository.delete(films[0]).value()
            #expect(try await events.next().map(Self.totals) == Totals(films: 1, boxOffice: most))
            try await server.repository.insert([films[0]]).value()
            // Once the query has failed, the stream follows only the commits.
            while server.repository.statistics.subscriptions > 1 { await Task.yield() }
            try await server.repository.update(Film(id: films[0].id, title: "", boxOffice: 0)).value()
            #expect(try await events.next().map(Self.totals) == Totals(films: 2, boxOffice: most))
        }
    }

    private struct Totals: Decodable, Equatable {
        let films: Int
        let boxOffice: Decimal
    }

    private static func totals(_ event: String) throws -> Totals {
        try JSONDecoder().decode(Totals.self, from: Data(event.utf8))
    }
}
