import Foundation
import Testing

@testable import FilmServer

// A response that does not end would hang.
@Suite("Events", .timeLimit(.minutes(1))) struct EventsTests {
    @Test("Totals follow each commit, and the live queries end when the client goes")
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

    @Test("Totals end when the server does, with the response whole")
    func serverEnds() async throws {
        try await Server.run { server in
            var events = Events(try server.url("/films/totals"))
            #expect(try await events.next().map(Self.totals) == Totals(films: 0, boxOffice: 0))
            await server.stop()
            #expect(try await events.next() == nil)
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
