import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("authored(by:)", .timeLimit(.minutes(10))) struct AuthoredTests {
    @Test("R16 Every write through the view has its author, whatever the endpoint", arguments: StoreKind.allCases)
    func everyVerb(kind: StoreKind) async throws {
        try await withRepository(kind) { repository async throws in
            let sync = repository.authored(by: "sync")
            let changes = repository.changes().record()
            let film = Film.numbered(1)
            try await sync.create(film).value()
            try await sync.upsert(Film.numbered(1, title: "b")).value()
            try await sync.update(Film.numbered(1, title: "c")).value()
            try await sync.insert([Film.numbered(2), .numbered(3)]).value()
            try await sync.insert(from: Signal<Film, Never>.just(.numbered(4))).value()
            try await sync.update(Film.self, set: [.set(\.studio, to: "A24")]) { _ in .true }.value()
            try await sync.delete(Film.self) { $0.boxOffice > 3 }.value()
            try await sync.transaction { try $0.delete(Film.self, id: Film.id(3)) }.value()
            try await sync.transaction { try $0.delete(Film.self, id: Film.id(2)) }.value()
            try await sync.delete(film).value()
            #expect(await changes.values(10).map(\.author) == Array(repeating: "sync", count: 10))
            changes.cancel()
        }
    }

    @Test(
        "R16 An explicit author takes precedence, and a write outside the view has none", arguments: StoreKind.allCases)
    func named(kind: StoreKind) async throws {
        try await withRepository(kind) { repository async throws in
            let sync = repository.authored(by: "sync")
            let changes = sync.changes().record()
            try await sync.transaction(author: "user") { try $0.create(Film.numbered(1)) }.value()
            try await sync.transaction(author: "other") { try $0.create(Film.numbered(2)) }.value()
            try await repository.create(Film.numbered(3)).value()
            try await sync.authored(by: "inner").create(Film.numbered(4)).value()
            #expect(await changes.values(4).map(\.author) == ["user", "other", nil, "inner"])
            changes.cancel()
        }
    }

    @Test("R4 R11 The view is the same store: it reads, follows and closes it", arguments: StoreKind.allCases)
    func sameStore(kind: StoreKind) async throws {
        try await withRepository(kind) { repository async throws in
            let view: any Repository = repository.authored(by: "sync")
            let counts = view.countSubscription(Film.self).record()
            #expect(await counts.values(1) == [0])
            try await repository.create(Film.numbered(1)).value()
            #expect(await counts.values(2) == [0, 1])
            #expect(try await view.fetch(Film.all).value() == [.numbered(1)])
            for await _ in view.close().values {}
            guard case .failure(.closed)? = await counts.end() else { return #expect(Bool(false)) }
            await expectFailure(\.isClosed) { try await repository.count(Film.self).value() }
        }
    }
}
