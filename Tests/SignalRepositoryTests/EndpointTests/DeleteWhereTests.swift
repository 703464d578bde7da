import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("delete(where:)", .timeLimit(.minutes(10))) struct DeleteWhereTests {
    private static let films = (1...10).map { Film.numbered($0, studio: $0 > 5 ? "A" : nil) }

    @Test("Items that pass the condition go, and their number is told", arguments: StoreKind.allCases)
    func some(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            _ = try await repository.insert(Self.films).first()
            #expect(try await repository.delete(Film.self, where: \.studio == nil).first() == 5)
            #expect(try await repository.delete(Film.self, where: \.studio == nil).first() == 0)
            #expect(try await repository.fetch(Film.all).first() == Array(Self.films.dropFirst(5)))
            #expect(try await repository.delete(Film.self, where: nil).first() == 5)
            #expect(try await repository.count(Film.self).first() == 0)
        }
    }

    @Test("R13 R14 A live query hears of the whole once", arguments: StoreKind.allCases)
    func live(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            _ = try await repository.insert(Self.films).first()
            let counts = repository.countSubscription(Film.self).record()
            #expect(await counts.values(1) == [10])
            _ = try await repository.delete(Film.self, where: \.boxOffice <= 3).first()
            #expect(await counts.values(2) == [10, 7])
            _ = try await repository.delete(Film.self, where: nil).first()
            #expect(await counts.values(3) == [10, 7, 0])
            counts.cancel()
        }
    }

    @Test("Inside a transaction the verb does the same, and goes with it", arguments: StoreKind.allCases)
    func inside(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            _ = try await repository.insert(Self.films).first()
            let undone = repository.transaction { store in
                let deleted = try store.delete(Film.self, where: nil)
                let left = try store.count(Film.self)
                #expect(deleted == 10 && left == 0)
                store.cancel()
            }
            await expectFailure(\.isCancelled) { try await undone.first() }
            let count = try await repository.transaction { store in
                try store.delete(Film.self, where: \.boxOffice > 8)
            }.first()
            #expect(count == 2)
            #expect(try await repository.count(Film.self).first() == 8)
        }
    }

    @Test("An item that another refers to stays, and so do all the others", arguments: StoreKind.allCases)
    func referred(kind: StoreKind) async throws {
        try await withRepository(kind, [Owner.self, Owned.self]) { repository in
            _ = try await repository.insert((1...3).map { Owner(id: $0) }).first()
            _ = try await repository.create(Owned(id: 1, owner: 2)).first()
            await expectFailure(\.isConstraint) { try await repository.delete(Owner.self, where: nil).first() }
            #expect(try await repository.count(Owner.self).first() == 3)
            #expect(try await repository.delete(Owner.self, where: \.id != 2).first() == 2)
        }
    }
}

private struct Owner: Entity, Equatable {
    let id: Int

    static let schema = Schema(Column("id", \Owner.id), make: Owner.init)
}

private struct Owned: Entity, Equatable {
    let id: Int
    var owner: Int

    static let schema = Schema(
        Column("id", \Owned.id), Column("owner", \.owner, .references(Owner.self)), make: Owned.init)
}
