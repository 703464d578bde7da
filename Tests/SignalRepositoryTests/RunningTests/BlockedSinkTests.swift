import Dispatch
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("Sinks that block", .timeLimit(.minutes(10)), .serialized) struct BlockedSinkTests {
    @Test("R1 Sinks that block hold up no other sink, no write, and no work of the program", arguments: [10, 40])
    func blocked(count: Int) async throws {
        for kind in StoreKind.allCases {
            try await withRepository(kind) { repository in
                let blocked = BlockedSinks(count, of: repository.countSubscription(Film.self))
                await blocked.arrived(count)
                // Other work of the program runs.
                await withCheckedContinuation { done in DispatchQueue.global().async { done.resume() } }
                try await repository.create(Film.numbered(1)).value()
                let counts = repository.countSubscription(Film.self).record()
                #expect(await counts.values(1) == [1])
                let films = try await repository.fetch(Film.all).value()
                #expect(films.count == 1)
                // Once for the first value, and once for the write's value, which may arrive before the cancel.
                blocked.release()
                blocked.cancel()
                blocked.release()
                counts.cancel()
            }
        }
    }

    @Test("R1 Beyond the limit of blocked sinks the others wait, and receive their values later")
    func beyond() async throws {
        try await withRepository(.memory) { repository in
            let blocked = BlockedSinks(100, of: repository.count(Film.self))
            await blocked.arrived(60)
            blocked.release()
            await blocked.arrived(100)
        }
    }
}
