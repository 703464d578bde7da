import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("Two models of one table", .timeLimit(.minutes(10))) struct NarrowModelTests {
    @Test("A narrow model reads, follows and changes its columns, and leaves the others", arguments: StoreKind.allCases)
    func narrow(kind: StoreKind) async throws {
        for entities in [[Film.self, Title.self], [Title.self, Film.self]] as [[any Entity.Type]] {
            try await withRepository(kind, entities) { repository in
                try await repository.insert([Film.numbered(1, studio: "S"), .numbered(2)]).value()
                let titles = repository.fetchSubscription(Title.all.sorted(by: \.title)).record()
                let films = repository.fetchSubscription(Film.all.sorted(by: \.title)).record()
                #expect(await titles.values(1).last?.map(\.title) == ["Film 1", "Film 2"])
                _ = await films.values(1)
                // This change does not concern the narrow model.
                try await repository.update(Film.numbered(2, studio: "T")).value()
                try await repository.update(Title(id: Film.id(1), title: "A")).value()
                #expect(await titles.values(2).last?.map(\.title) == ["A", "Film 2"])
                let expected = [Film.numbered(1, title: "A", studio: "S"), .numbered(2, studio: "T")]
                #expect(await films.last(where: { $0 == expected }) == expected)
                #expect(try await repository.read(Title.self, id: Film.id(2)).value().title == "Film 2")
                // A column that the narrow model leaves out needs a value.
                await expectFailure(\.isConstraint) {
                    try await repository.create(Title(id: Film.id(3), title: "C")).value()
                }
                try await repository.delete(Title.self, id: Film.id(1)).value()
                let left = try await repository.fetch(Film.all).value()
                #expect(left == [expected[1]])
                titles.cancel()
                films.cancel()
            }
        }
    }

    @Test("Two models that do not fit into one table are refused")
    func unfit() async throws {
        for other in [Retyped.self, Rescaled.self, Wider.self] as [any Entity.Type] {
            let error = try thrown { () throws(RepositoryError) in
                try SQLiteRepository(.inMemory, entities: Film.self, Title.self, other)
            }
            guard case .misuse(let detail) = error else { return #expect(Bool(false), "\(error)") }
            #expect(detail.hasPrefix("two entities have the name Film"))
        }
    }
}

private struct Title: Entity, Equatable {
    let id: UUID
    var title: String
    static let entityName = "Film"
    static let schema = Schema(Column("id", \Title.id), Column("title", \.title, .indexed), make: Title.init)
}

private struct Retyped: Entity {
    let id: UUID
    var title: Int
    static let entityName = "Film"
    static let schema = Schema(Column("id", \Retyped.id), Column("title", \.title), make: Retyped.init)
}

private struct Rescaled: Entity {
    let id: UUID
    var boxOffice: Decimal
    static let entityName = "Film"
    static let schema = Schema(
        Column("id", \Rescaled.id), Column("boxOffice", \.boxOffice, .scale(1)), make: Rescaled.init)
}

private struct Wider: Entity {
    let id: UUID
    var year: Int
    static let entityName = "Film"
    static let schema = Schema(Column("id", \Wider.id), Column("year", \.year), make: Wider.init)
}
