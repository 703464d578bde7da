import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("update of an id", .timeLimit(.minutes(10))) struct UpdateByIDTests {
    @Test("It writes what is set and nothing else, and answers with the item", arguments: StoreKind.allCases)
    func one(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert([Film.numbered(1), .numbered(2)]).value()
            let changed = try await repository.update(
                Film.self, id: Film.id(1), set: [.set(\.studio, to: "Gramercy"), .set(\.boxOffice, to: 1234.56)]
            ).value()
            #expect(changed.studio == "Gramercy" && changed.title == "Film 1")
            let stored = try await repository.transaction { try $0.rows("SELECT boxOffice FROM Film ORDER BY title") }
                .value()
            #expect(stored.first == [.integer(12_345_600)])
            #expect(changed.boxOffice == Decimal(string: "1234.56"))
            #expect(try await repository.fetch(Film.all).value() == [changed, .numbered(2)])
        }
    }

    @Test("The id itself can be set; an id that is not there is an error", arguments: StoreKind.allCases)
    func ids(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.create(Film.numbered(1)).value()
            let moved = try await repository.transaction { store in
                try store.update(Film.self, id: Film.id(1), set: [.set(\.id, to: Film.id(5))])
            }.value()
            #expect(moved.id == Film.id(5))
            await expectFailure({ $0 == .notFound(entity: "Film", id: "\(Film.id(1))") }) {
                try await repository.update(Film.self, id: Film.id(1), set: [.set(\.title, to: "x")]).value()
            }
            await expectFailure({ if case .misuse = $0 { true } else { false } }) {
                try await repository.update(Film.self, id: Film.id(5), set: []).value()
            }
        }
    }
}
