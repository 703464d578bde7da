import Foundation
import SignalRepository
import Signals
import Testing

@Suite("update", .timeLimit(.minutes(10))) struct UpdateTests {
    @Test("An update replaces every property but the id", arguments: StoreKind.allCases)
    func update(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert((1...3).map { Film.numbered($0) }).value()
            let changed = Film.numbered(2, title: "New", boxOffice: -1, studio: "S")
            #expect(try await repository.update(changed).value() == changed)
            #expect(try await repository.fetch(Film.all).value() == [.numbered(1), changed, .numbered(3)])
            await expectFailure(\.isNotFound) { try await repository.update(Film.numbered(9)).value() }
        }
    }

    @Test("Many items are updated one by one, or all together", arguments: StoreKind.allCases)
    func many(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = (1...3).map { Film.numbered($0) }
            try await repository.insert(films).value()
            let changed = [Film.numbered(1, title: "A"), .numbered(9), .numbered(3, title: "C")]
            await expectFailure(\.isNotFound) { try await repository.updateAtomically(changed).value() }
            #expect(try await repository.fetch(Film.all).value() == films)
            let result = try await repository.update(changed).value()
            #expect(result.success == [changed[0], changed[2]])
            #expect(result.failed.map(\.item) == [changed[1]])
            #expect(try await repository.updateAtomically([changed[0]]).value() == [changed[0]])
        }
    }

    @Test("Inside a transaction the endpoints do the same", arguments: StoreKind.allCases)
    func inside(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.transaction { store in
                try store.create(Film.numbered(1))
                try store.update(Film.numbered(1, title: "New"))
                #expect(try store.update([Film.numbered(8)]).failed.count == 1)
                #expect(throws: RepositoryError.self) {
                    try store.updateAtomically([Film.numbered(1, title: "Lost"), .numbered(8)])
                }
                try store.updateAtomically([Film.numbered(1, title: "Newer")])
            }.value()
            #expect(try await repository.fetch(Film.all).value().map(\.title) == ["Newer"])
        }
    }

    @Test("An entity that has only an id can be written in every way", arguments: StoreKind.allCases)
    func onlyID(kind: StoreKind) async throws {
        try await withRepository(kind, [Tag.self]) { repository in
            try await repository.create(Tag(id: "a")).value()
            try await repository.upsert(Tag(id: "a")).value()
            try await repository.update(Tag(id: "a")).value()
            #expect(try await repository.fetch(Tag.all).value() == [Tag(id: "a")])
        }
    }
}

private struct Tag: Entity, Equatable {
    let id: String
    static let schema = Schema(Column("id", \Tag.id), make: Tag.init)
}
