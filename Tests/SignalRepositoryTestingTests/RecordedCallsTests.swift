import Foundation
import SignalRepository
import SignalRepositoryTesting
import SignalsTesting
import Testing

@Suite("The calls that a stubbed repository records", .timeLimit(.minutes(5))) struct RecordedCallsTests {
    private let films = (1...3).map(Film.numbered)

    /// Attaches a sink to a signal, and waits for its first value or its end.
    private func run<Value: Sendable>(_ signal: Signal<Value, RepositoryError>) async {
        let recorder = signal.prefix(1).record()
        _ = await recorder.end()
    }

    @Test("Writes are recorded with the ids of their items, or with their number")
    func writes() async throws {
        let repository = try stubbed()
        await run(repository.create(films[0]))
        await run(repository.create(films))
        await run(repository.createAtomically([] as [Film]))
        await run(repository.update(films[0]))
        await run(repository.update(films))
        await run(repository.updateAtomically(films))
        await run(repository.update(Film.self, set: [.set(\.gross, to: 1)]) { _ in .true })
        await run(repository.updateReturningIDs(Film.self, set: [.set(\.gross, to: 1)]) { _ in .true })
        await run(repository.upsert(films[0]))
        await run(repository.upsert(films))
        await run(repository.upsertAtomically(films))
        await run(repository.delete(films[0]))
        await run(repository.delete(Film.self, id: 2))
        await run(repository.delete(films))
        await run(repository.delete(Film.self, ids: [3]))
        await run(repository.deleteAtomically([films[0]]))
        await run(repository.deleteAtomically(Film.self, ids: []))
        await run(repository.delete(Film.self) { $0.gross > 5 })
        await run(repository.deleteReturningIDs(Film.self) { _ in .true })
        await run(repository.insert(films))
        await run(repository.insertReturningIDs(NewFilms()))
        await run(repository.transaction { store in try store.create(Film.numbered(9)) })
        #expect(
            repository.calls.map(\.description) == [
                "create Film 1", "create Film 1, 2, 3", "createAtomically Film ×0", "update Film 1",
                "update Film 1, 2, 3", "updateAtomically Film 1, 2, 3", "update Film", "updateReturningIDs Film",
                "upsert Film 1", "upsert Film 1, 2, 3", "upsertAtomically Film 1, 2, 3", "delete Film 1",
                "delete Film 2", "delete Film 1, 2, 3", "delete Film 3", "deleteAtomically Film 1",
                "deleteAtomically Film ×0", "delete Film", "deleteReturningIDs Film", "insert Film ×3",
                "insertReturningIDs Film", "transaction",
            ])
    }

    @Test("Rows and batches are recorded with their number of items")
    func rows() async throws {
        let repository = try stubbed()
        let rows: [[String: any Sendable]] = [["id": 7, "title": "Seven", "gross": 7]]
        await run(repository.insert(Film.self, rows: rows))
        await run(repository.insertReturningIDs(Film.self, rows: []))
        let sums = repository.insert(from: Signal<Film, Never>.sequence(films), batch: 2).record()
        _ = await sums.end()
        #expect(
            repository.calls == [
                RepositoryCall("insert", Film.self, count: 1),
                RepositoryCall("insertReturningIDs", Film.self, count: 0),
                RepositoryCall("insert", Film.self, count: 2),
                RepositoryCall("insert", Film.self, count: 1),
            ])
    }

    @Test("Reads, one-time and live, are recorded under the name of their endpoint")
    func reads() async throws {
        let repository = try stubbed()
        await run(repository.read(Film.self, id: 1))
        await run(repository.read(Film.self, ids: [1, 2]))
        await run(repository.readAtomically(Film.self, ids: [1, 2]))
        await run(repository.readSubscription(Film.self, id: 1))
        await run(repository.fetch(Film.all))
        await run(repository.rows("SELECT * FROM Film", as: Film.self))
        await run(repository.fetchSubscription(Film.all))
        await run(repository.rowsSubscription("SELECT * FROM Film", as: Film.self))
        await run(repository.firstSubscription(Film.all))
        await run(repository.follow(Film.all.exists))
        await run(repository.read { store in try store.count(Film.self) })
        await run(repository.follow(LiveQuery { store in try store.count(Film.self) }))
        #expect(
            repository.calls.map(\.description) == [
                "read Film 1", "read Film 1, 2", "readAtomically Film 1, 2", "readSubscription Film 1", "fetch Film",
                "rows", "fetchSubscription Film", "rowsSubscription", "firstSubscription Film",
                "existsSubscription Film", "read", "follow",
            ])
    }

    @Test("Queries that select or compute are recorded with their entity")
    func selections() async throws {
        let repository = try stubbed()
        await run(repository.fetch(Film.all.select(\.title)))
        await run(repository.first(Film.all.select(\.title)))
        await run(repository.fetch(Film.all.aggregate { $0.id.count() }))
        #expect(repository.calls.map(\.description) == ["fetch Film", "first Film", "fetch Film"])
    }

    @Test("Aggregates are recorded under the name of their function")
    func aggregates() async throws {
        let repository = try stubbed()
        await run(repository.count(Film.self))
        await run(repository.countSubscription(Film.self))
        await run(repository.fetch(Film.all.count(groupedBy: \.title)))
        await run(repository.follow(Film.all.count(groupedBy: \.title)))
        await run(repository.sum(of: \Film.gross))
        await run(repository.sumSubscription(of: \Film.gross))
        await run(repository.average(of: \Film.gross))
        await run(repository.aggregateSubscription(.average, of: \Film.gross, groupedBy: \.title))
        await run(repository.min(of: \Film.gross))
        await run(repository.minSubscription(of: \Film.gross))
        await run(repository.aggregate(.max, of: \Film.gross, groupedBy: \.title))
        await run(repository.maxSubscription(of: \Film.gross))
        await run(repository.aggregate(.summary, of: \Film.gross))
        await run(repository.aggregateSubscription(.summary, of: \Film.gross))
        await run(repository.aggregate(.count, of: \Film.title))
        let names = [
            "count", "countSubscription", "count", "countSubscription", "sum", "sumSubscription", "average",
            "averageSubscription", "min", "minSubscription", "max", "maxSubscription", "aggregate",
            "aggregateSubscription", "count",
        ]
        #expect(repository.calls.map(\.description) == names.map { $0 + " Film" })
    }

    @Test("URLs of items are recorded")
    func urls() async throws {
        let repository = try stubbed()
        try await repository.create(films[0]).value()
        let url = try await repository.url(for: films[0]).value()
        // For the first URL of a store, a read finds no base, and a write makes one.
        #expect(repository.calls.map(\.description) == ["create Film 1", "url Film 1", "url Film 1"])
        repository.forgetCalls()
        await run(repository.id(of: Film.self, at: url))
        #expect(repository.calls.map(\.description) == ["id Film \(url)"])
    }

    @Test("Changes and the close are recorded")
    func changes() async throws {
        let repository = try stubbed()
        let heard = [
            repository.changes().record(), repository.changes(of: Film.self, Studio.self).record(),
        ]
        let ofOne = repository.objectChanges(Film.self, id: 1).record()
        try await repository.create(films[0]).value()
        _ = await (heard[0].values(1), heard[1].values(1), ofOne.values(1))
        for await _ in repository.close().values {}
        #expect(
            repository.calls.map(\.description) == [
                "changes", "changes Film, Studio", "objectChanges Film 1", "create Film 1", "close",
            ])
    }

    @Test("Writes through an authored view are recorded with their author")
    func authors() async throws {
        let repository = try stubbed()
        let sync = repository.authored(by: "sync")
        await run(sync.create(films[0]))
        await run(sync.read(Film.self, id: 1))
        await run(sync.countSubscription(Film.self))
        await run(sync.transaction(author: "me") { _ in })
        let changes = sync.changes().record()
        changes.cancel()
        #expect(
            repository.calls == [
                RepositoryCall("create", Film.self, id: 1, author: "sync"), RepositoryCall("read", Film.self, id: 1),
                RepositoryCall("countSubscription", Film.self), RepositoryCall("transaction", author: "me"),
                RepositoryCall("changes"),
            ])
    }

    @Test("R2 Each attach is recorded as one call, and a signal without a sink is not recorded")
    func attaches() async throws {
        let repository = try stubbed()
        let count = repository.count(Film.self)
        #expect(repository.calls.isEmpty)
        await run(count)
        await run(count)
        #expect(repository.calls == [RepositoryCall("count", Film.self), RepositoryCall("count", Film.self)])
        repository.forgetCalls()
        #expect(repository.calls.isEmpty)
    }

    @Test("A store and its views never evaluate the call that would be recorded")
    func unasked() async throws {
        let store = try SQLiteRepository(.inMemory, entities: Film.self)
        let asked = CurrentValue<Int, Never>(0)
        @Sendable func call() -> RepositoryCall {
            asked.value += 1
            return RepositoryCall("read")
        }
        let views: [any Repository] = [store, store.authored(by: "sync")]
        for view in views {
            await run(view.signal(for: .read(call()) { _ in }))
            await run(view.signal(for: .write(call()) { _ in }))
            await run(view.signal(for: .follow(call(), LiveQuery { store in try store.count(Film.self) })))
        }
        #expect(asked.value == 0)
    }

    @Test("An endpoint that the program adds is recorded under its own name")
    func ownEndpoint() async throws {
        let repository = try stubbed()
        repository.fail("archive", with: .full(.stubbed), times: 1)
        #expect(await failure { try await repository.archive(films[0]).value() } == .full(.stubbed))
        #expect(repository.calls == [RepositoryCall("archive", Film.self, ids: [1])])
    }
}

/// A sequence of films that does not know its length.
private struct NewFilms: Sequence, IteratorProtocol, Sendable {
    private var number = 10

    mutating func next() -> Film? {
        number += 1
        return number < 13 ? Film.numbered(number) : nil
    }
}

extension Repository {
    fileprivate func archive(_ film: Film) -> Signal<Void, RepositoryError> {
        signal(for: .write(RepositoryCall("archive", Film.self, ids: [film.id])) { store in try store.delete(film) })
    }
}
