import SignalRepository
import SignalRepositoryTesting
import SignalsTesting
import Testing

/// The code under test: it takes any repository, and retries a failed `add` twice.
struct Shelf {
    let repository: any Repository

    func add(_ film: Film) -> Signal<Film, RepositoryError> { repository.create(film).retry(2) }
    func gross() -> Signal<Int, RepositoryError> { repository.sumSubscription(of: \Film.gross) }
}

@Suite struct ShelfTests {
    let store: SQLiteRepository
    let fargo = Film(id: 1, title: "Fargo", gross: 60)

    init() throws {
        store = try SQLiteRepository(.inMemory, entities: Film.self)
    }

    @Test func whatIsAddedIsCounted() async throws {
        let shelf = Shelf(repository: store)
        let gross = shelf.gross().record()
        #expect(await gross.values(1) == [0])
        try await shelf.add(fargo).value()
        #expect(await gross.values(2) == [0, 60])
    }

    @Test func aBusyStoreIsTriedAgain() async throws {
        let stubbed = StubbedRepository(over: store)
        stubbed.fail("create", with: .busy(.stubbed), times: 2)
        try await Shelf(repository: stubbed).add(fargo).value()
        #expect(stubbed.calls.map(\.name) == ["create", "create", "create"])
        #expect(try await store.fetch(Film.all).value() == [fargo])
    }

    @Test func aFailureIsTold() async throws {
        let stubbed = StubbedRepository(over: store)
        stubbed.fail("sumSubscription", with: .io(.stubbed), after: 1)
        let gross = Shelf(repository: stubbed).gross().record()
        #expect(await gross.end() == .failure(.io(.stubbed)))
        #expect(gross.values == [0])
    }
}
