import SignalRepository
import Testing

@testable import Films

@Test func aLongFilmIsLeftOut() async throws {
    let repository = try SQLiteRepository(.inMemory, entities: Film.self)
    try await repository.insert([
        Film(title: "Fargo", length: 98),
        Film(title: "Heat", length: 170),
    ]).value()

    #expect(try await shortFilms(in: repository) == ["Fargo"])
}
