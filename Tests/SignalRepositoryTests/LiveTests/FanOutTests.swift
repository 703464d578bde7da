import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("One value for many sinks", .timeLimit(.minutes(10))) struct FanOutTests {
    @Test("R1 Sinks of one query that wait for each other all get the value", arguments: [2, 3, 4, 17])
    func waiting(count: Int) async throws {
        try await withRepository(.memory) { repository in
            let (arrived, all) = (Lock(0), Gate())
            let recorders = (0..<count).map { _ in
                repository.countSubscription(Film.self)
                    .handleEvents(onValue: { value in
                        guard value == 1 else { return }
                        let number = arrived.withLock { count in
                            count += 1
                            return count
                        }
                        if number == count { for _ in 0..<count { all.open() } }
                        all.wait()
                    }).record()
            }
            for recorder in recorders { #expect(await recorder.values(1) == [0]) }
            try await repository.create(Film.numbered(1)).value()
            for recorder in recorders { #expect(await recorder.values(2) == [0, 1]) }
        }
    }

    @Test("R1 A sink that blocks holds up neither a thousand others nor their next values")
    func blocked() async throws {
        try await withRepository(.memory) { repository in
            let (open, held) = (Gate(), Lock(false))
            let blocked = repository.countSubscription(Film.self)
                .handleEvents(onValue: { value in
                    guard value == 1 else { return }
                    held.withLock { $0 = true }
                    open.wait()
                }).record()
            let others = (0..<1_000).map { _ in repository.countSubscription(Film.self).record() }
            for recorder in others + [blocked] { _ = await recorder.values(1) }
            for count in 1...3 {
                try await repository.create(Film.numbered(count)).value()
                for recorder in others { #expect(await recorder.last(where: { $0 == count }) == count) }
            }
            #expect(held.withLock { $0 })
            open.open()
            // R8: of the values that it missed, it gets the latest.
            #expect(await blocked.values(until: { $0 == 3 }) == [0, 1, 3])
        }
    }

    @Test("R1 Sinks that block, each the last of its pass, hold up no later pass", arguments: StoreKind.local)
    func last(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let (arrived, open) = (Gate(), Gate())
            var blocked: [Recorder<Int, RepositoryError>] = []
            for number in 1...3 {
                let recorder = repository.countSubscription(Film.self) { $0.id == Film.numbered(number).id }
                    .handleEvents(onValue: { value in
                        guard value == 1 else { return }
                        arrived.open()
                        open.wait()
                    }).record()
                #expect(await recorder.values(1) == [0])
                // The pass for this commit concerns no other query, and reads nothing.
                try await repository.create(Film.numbered(number)).value()
                await arrived.opened()
                blocked.append(recorder)
            }
            let count = repository.countSubscription(Film.self).record()
            for number in 3...6 {
                #expect(await count.last(where: { $0 == number }) == number)
                if number < 6 { try await repository.create(Film.numbered(number + 1)).value() }
            }
            for _ in blocked { open.open() }
            for recorder in blocked { #expect(await recorder.last(where: { $0 == 1 }) == 1) }
        }
    }

    @Test("R4 R8 Under many commits, each of many sinks sees growing numbers, and finally the last one")
    func order() async throws {
        try await withRepository(.memory) { repository in
            let recorders = (0..<200).map { _ in repository.countSubscription(Film.self).record() }
            for number in 1...100 { try await repository.create(Film.numbered(number)).value() }
            for recorder in recorders {
                let values = await recorder.values(until: { $0 == 100 })
                #expect(values == values.sorted() && values.last == 100)
            }
        }
    }
}
