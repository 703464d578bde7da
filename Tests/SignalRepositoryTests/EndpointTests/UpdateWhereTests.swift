import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("update(where:)", .timeLimit(.minutes(10))) struct UpdateWhereTests {
    private static let films = (1...10).map { Film.numbered($0, studio: $0 > 5 ? "A" : nil) }

    @Test("Items that pass the condition get the values, and their number is told", arguments: StoreKind.allCases)
    func some(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            _ = try await repository.insert(Self.films).first()
            let count = try await repository.update(
                Film.self, set: [.set(\.studio, to: "B"), .set(\.boxOffice, to: 0)],
                where: \.studio == "A" && \.boxOffice > 8
            ).first()
            #expect(count == 2)
            let expected = Self.films.map { film in
                film.boxOffice > 8 ? Film.numbered(film.number, boxOffice: 0, studio: "B") : film
            }
            #expect(try await repository.fetch(Film.all).first() == expected)
        }
    }

    @Test("nil empties an optional property; no condition means every item", arguments: StoreKind.allCases)
    func empty(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            _ = try await repository.insert(Self.films).first()
            let count = try await repository.update(Film.self, set: [.set(\.studio, to: nil)], where: nil).first()
            #expect(count == 10)
            #expect(try await repository.count(Film.self, where: \.studio == nil).first() == 10)
            let none = try await repository.update(
                Film.self, set: [.set(\.title, to: "")], where: \.boxOffice > 99
            ).first()
            #expect(none == 0)
        }
    }

    @Test("R13 R14 A live query hears of the whole once", arguments: StoreKind.allCases)
    func live(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            _ = try await repository.insert(Self.films).first()
            let sums = repository.sumSubscription(of: \Film.boxOffice).record()
            #expect(await sums.values(1) == [55])
            _ = try await repository.update(Film.self, set: [.set(\.boxOffice, to: 1)], where: nil).first()
            #expect(await sums.values(2) == [55, 10])
            _ = try await repository.create(Film.numbered(20)).first()
            #expect(await sums.values(3) == [55, 10, 30])
            sums.cancel()
        }
    }

    @Test("Inside a transaction the verb does the same, and goes with it", arguments: StoreKind.allCases)
    func inside(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            _ = try await repository.insert(Self.films).first()
            let count = try await repository.transaction { store in
                try store.update(Film.self, set: [.set(\.title, to: "T")], where: \.studio == nil)
            }.first()
            #expect(count == 5)
            let undone = repository.transaction { store in
                let updated = try store.update(Film.self, set: [.set(\.title, to: "U")], where: nil)
                let found = try store.count(Film.self, where: \.title == "U")
                #expect(updated == 10 && found == 10)
                store.cancel()
            }
            await expectFailure(\.isCancelled) { try await undone.first() }
            #expect(try await repository.count(Film.self, where: \.title == "T").first() == 5)
        }
    }

    @Test("What cannot be done is a typed error, and changes nothing", arguments: StoreKind.allCases)
    func errors(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            _ = try await repository.insert(Self.films).first()
            await expectFailure(\.isMisuse) { try await repository.update(Film.self, set: [], where: nil).first() }
            await expectFailure(\.isMisuse) {
                try await repository.update(
                    Film.self, set: [.set(\.title, to: "a"), .set(\.title, to: "b")], where: nil
                ).first()
            }
            await expectFailure(\.isMisuse) {
                try await repository.update(Film.self, set: [.set(\.number, to: 1)], where: nil).first()
            }
            await expectFailure(\.isConstraint) {
                try await repository.update(Film.self, set: [.set(\.id, to: Film.id(1))], where: nil).first()
            }
            await expectFailure(\.isEncoding) {
                let tooFine = Decimal(sign: .plus, exponent: -9, significand: 1)
                return try await repository.update(Film.self, set: [.set(\.boxOffice, to: tooFine)], where: nil).first()
            }
            #expect(try await repository.fetch(Film.all).first() == Self.films)
        }
    }

    @Test("A property held as JSON is set like any other", arguments: StoreKind.allCases)
    func json(kind: StoreKind) async throws {
        try await withRepository(kind, [Tagged.self]) { repository in
            _ = try await repository.insert([Tagged(id: 1, tags: []), Tagged(id: 2, tags: ["x"])]).first()
            _ = try await repository.update(
                Tagged.self, set: [.set(\.tags, to: ["a", "b"])], where: \.id == 1
            ).first()
            #expect(try await repository.fetch(Tagged.all).first().map(\.tags) == [["a", "b"], ["x"]])
        }
    }
}

private struct Tagged: Entity, Equatable {
    let id: Int
    var tags: [String]

    static let schema = Schema(Column("id", \Tagged.id), Column("tags", json: \.tags), make: Tagged.init)
}
