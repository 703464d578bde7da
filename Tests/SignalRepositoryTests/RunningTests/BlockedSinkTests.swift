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
                let gate = DispatchSemaphore(value: 0)
                let isIn = CurrentValue<Int, Never>(0)
                let blocking = (0..<count).map { _ in
                    repository.countSubscription(Film.self).sink(
                        onValue: { _ in
                            isIn.modify { $0 += 1 }
                            gate.wait()
                        }, onCompletion: { _ in })
                }
                _ = await isIn.signal.filter { $0 == count }.value()
                // The program's own work.
                await withCheckedContinuation { done in DispatchQueue.global().async { done.resume() } }
                try await repository.create(Film.numbered(1)).value()
                let counts = repository.countSubscription(Film.self).record()
                #expect(await counts.values(1) == [1])
                let films = try await repository.fetch(Film.all).value()
                #expect(films.count == 1)
                for _ in blocking { gate.signal() }
                for token in blocking { token.cancel() }
                for _ in blocking { gate.signal() }
                counts.cancel()
            }
        }
    }

    @Test("R1 Beyond the stated number of blocked sinks the others wait, and get what is theirs")
    func beyond() async throws {
        try await withRepository(.memory) { repository in
            let gate = DispatchSemaphore(value: 0)
            let isIn = CurrentValue<Int, Never>(0)
            let reads = (0..<100).map { _ in
                repository.count(Film.self).sink(
                    onValue: { _ in
                        isIn.modify { $0 += 1 }
                        gate.wait()
                    }, onCompletion: { _ in })
            }
            _ = await isIn.signal.filter { $0 >= 60 }.value()
            for _ in reads { gate.signal() }
            _ = await isIn.signal.filter { $0 == 100 }.value()
        }
    }
}
