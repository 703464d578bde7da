import Foundation
import Testing

@testable import SignalRepository

private struct Movie: Entity, Equatable {
    let id: UUID
    var title: String
    var releaseDate: Date
    var boxOffice: Decimal
    var studio: String?

    static let schema = Schema(
        Column("id", \Movie.id), Column("title", \.title), Column("releaseDate", \.releaseDate),
        Column("boxOffice", \.boxOffice), Column("studio", \.studio, .indexed), make: Movie.init)
}

@Suite("Schema") struct SchemaTests {
    @Test("An item comes back as it was stored")
    func roundTrip() throws {
        let store = try OpenedStore(.inMemory, entities: [Movie.self])
        let connection = try #require(store.writer)
        let boxOffice = try #require(Decimal(string: "12.3456"))
        let movie = Movie(id: UUID(), title: "Tár", releaseDate: Date(), boxOffice: boxOffice, studio: nil)
        let insert = try connection.cached("INSERT INTO Movie VALUES (?, ?, ?, ?, ?)")
        try insert.bind(movie, Movie.schema)
        try insert.run()
        let items = try connection.cached("SELECT * FROM Movie").items(Movie.schema)
        #expect(items == [movie])
        #expect(try Movie.schema.key.name == "id")
        #expect(try Movie.schema.column(for: \Movie.studio).isIndexed)
    }
}
