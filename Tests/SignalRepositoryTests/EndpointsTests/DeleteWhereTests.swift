import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("delete(where:)", .timeLimit(.minutes(10))) struct DeleteWhereTests {
    private static let films = (1...10).map { Film.numbered($0, studio: $0 > 5 ? "A" : nil) }

    @Test("Items that pass the condition are deleted, and their number is returned", arguments: StoreKind.allCases)
    func some(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert(Self.films).value()
            #expect(try await repository.delete(Film.self) { $0.studio == nil }.value() == 5)
            #expect(try await repository.delete(Film.self) { $0.studio == nil }.value() == 0)
            #expect(try await repository.fetch(Film.all).value() == Array(Self.films.dropFirst(5)))
            #expect(try await repository.delete(Film.self) { _ in .true }.value() == 5)
            #expect(try await repository.count(Film.self).value() == 0)
        }
    }

    @Test("R13 R14 A live query is updated once for the whole batch", arguments: StoreKind.allCases)
    func live(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert(Self.films).value()
            let counts = repository.countSubscription(Film.self).record()
            #expect(await counts.values(1) == [10])
            try await repository.delete(Film.self) { $0.boxOffice <= 3 }.value()
            #expect(await counts.values(2) == [10, 7])
            try await repository.delete(Film.self) { _ in .true }.value()
            #expect(await counts.values(3) == [10, 7, 0])
            counts.cancel()
        }
    }

    @Test("Inside a transaction the endpoint does the same, and is rolled back with it", arguments: StoreKind.allCases)
    func inside(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert(Self.films).value()
            let undone = repository.transaction { store in
                let deleted = try store.delete(Film.self) { _ in .true }
                let left = try store.count(Film.self)
                #expect(deleted == 10 && left == 0)
                store.cancel()
            }
            await expectFailure(\.isCancelled) { try await undone.value() }
            let count = try await repository.transaction { store in
                try store.delete(Film.self) { $0.boxOffice > 8 }
            }.value()
            #expect(count == 2)
            #expect(try await repository.count(Film.self).value() == 8)
        }
    }

    @Test("If another item refers to one of the items, none is deleted", arguments: StoreKind.allCases)
    func referred(kind: StoreKind) async throws {
        try await withRepository(kind, [Owner.self, Owned.self]) { repository in
            try await repository.insert((1...3).map { Owner(id: $0) }).value()
            try await repository.create(Owned(id: 1, owner: 2)).value()
            await expectFailure(\.isConstraint) { try await repository.delete(Owner.self) { _ in .true }.value() }
            #expect(try await repository.count(Owner.self).value() == 3)
            #expect(try await repository.delete(Owner.self) { $0.id != 2 }.value() == 2)
        }
    }

    @Test("R14 The ids of the deleted items are returned, without a trigger's deletions", arguments: StoreKind.allCases)
    func ids(kind: StoreKind) async throws {
        try await withRepository(kind, [Owner.self, Guest.self]) { repository async throws in
            try await repository.insert((1...6).map { Owner(id: $0) }).value()
            try await repository.insert((1...6).map { Guest(id: $0, host: $0) }).value()
            let trigger = SpelledStatements(
                sqlite: [
                    """
                    CREATE TRIGGER two AFTER DELETE ON Owner WHEN old.id = 1 \
                    BEGIN DELETE FROM Owner WHERE id = 2; END
                    """
                ],
                postgres: [
                    """
                    CREATE FUNCTION two() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
                    DELETE FROM "Owner" WHERE id = 2; RETURN NULL; END $$
                    """,
                    """
                    CREATE TRIGGER two AFTER DELETE ON "Owner" FOR EACH ROW WHEN (old.id = 1) EXECUTE FUNCTION two()
                    """,
                ])
            try await repository.transaction { try trigger.run(kind, $0) }.value()
            let changes = kind == .postgres ? nil : repository.changes(of: Guest.self).record()
            let ids = try await repository.deleteReturningIDs(Owner.self) { $0.id.isIn([1, 4, 99]) }.value()
            #expect(Set(ids) == [1, 4] && ids.count == 2)
            #expect(try await repository.fetch(Owner.all).value().map(\.id) == [3, 5, 6])
            #expect(try await repository.fetch(Guest.all).value().map(\.id) == [3, 5, 6])
            if let changes {
                let gone = try #require(await changes.values(1).first).deleted(of: Guest.self).map(\.id)
                #expect(Set(gone) == [1, 2, 4])
                changes.cancel()
            }
            let last = try await repository.transaction { try $0.deleteReturningIDs(Owner.self) { _ in .true } }.value()
            #expect(Set(last) == [3, 5, 6])
            #expect(try await repository.deleteReturningIDs(Owner.self) { _ in .true }.value().isEmpty)
        }
    }
}

private struct Guest: Entity {
    let id: Int
    var host: Int

    static let schema = Schema(
        Column("id", \Guest.id), Column("host", \.host, .references(Owner.self, onDelete: .cascade)), make: Guest.init)
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
