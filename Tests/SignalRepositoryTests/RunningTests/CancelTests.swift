import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("Cancelling", .timeLimit(.minutes(10))) struct CancelTests {
    @Test("R10 Work that is cancelled before its start never runs", arguments: StoreKind.allCases)
    func before(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let (entered, release) = (Gate(), Gate())
            let blocking = repository.transaction { _ in
                entered.open()
                release.wait()
            }.record()
            await entered.opened()
            let ran = Counter()
            let cancelled = repository.transaction { _ in ran.add() }.record()
            cancelled.cancel()
            release.open()
            _ = await blocking.end()
            let after = try await repository.transaction { _ in ran.value }.value()
            #expect(after == 0)
            #expect(cancelled.history.count == 1)
        }
    }

    @Test(
        "R10 A cancel interrupts a running statement and rolls the transaction back", arguments: StoreKind.allCases)
    func during(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let entered = Gate()
            let endless = repository.transaction { store in
                try store.create(Film.numbered(1))
                entered.open()
                _ = try store.rows(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
            }.record()
            await entered.opened()
            endless.cancel()
            let count = try await repository.count(Film.self).value()
            #expect(count == 0)
            try await repository.create(Film.numbered(1)).value()
            #expect(endless.history.count == 1)
        }
    }

    @Test(
        "S28 R10 The result or error of failing work is released outside the transaction",
        arguments: StoreKind.allCases, ["returned", "thrown", "rolled back"])
    func result(kind: StoreKind, way: String) async throws {
        try await withRepository(kind) { repository async throws in
            let (entered, mayReturn, released) = (Gate(), Gate(), Gate())
            for isRead in way == "rolled back" ? [false] : [false, true] {
                let body: @Sendable (ReadTransaction) throws -> Releasing = { store in
                    entered.open()
                    mayReturn.wait()
                    let result = Releasing {
                        // Waits for a turn on the queue, so a release on the queue itself would deadlock.
                        let done = Gate()
                        let writing = repository.create(Film.numbered(isRead ? 1 : 2))
                            .sink(onValue: { _ in }, onCompletion: { _ in done.open() })
                        done.wait()
                        writing.cancel()
                        released.open()
                    }
                    if way == "rolled back" { (store as? WriteTransaction)?.cancel() }
                    if way == "thrown" { throw result }
                    return result
                }
                let token =
                    isRead
                    ? repository.read(body).sink(onValue: { _ in }, onCompletion: { _ in })
                    : repository.transaction(body).sink(onValue: { _ in }, onCompletion: { _ in })
                await entered.opened()
                if way != "rolled back" { token.cancel() }
                mayReturn.open()
                await released.opened()
                token.cancel()
            }
            #expect(try await repository.count(Film.self).value() == (way == "rolled back" ? 1 : 2))
        }
    }

    @Test("R10 A cancelled read and a cancelled live query stop too", arguments: StoreKind.allCases)
    func reading(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            for isLive in [false, true] {
                let entered = Gate()
                let body: @Sendable (ReadTransaction) throws -> Int = { store in
                    entered.open()
                    return try store.rows(
                        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
                    ).count
                }
                let endless =
                    isLive
                    ? repository.follow(LiveQuery(body)).map(\.value).record() : repository.read(body).record()
                await entered.opened()
                endless.cancel()
                let count = try await repository.countSubscription(Film.self).value()
                #expect(count == 0)
                #expect(endless.history.count == 1)
            }
        }
    }

    @Test("R10 A cancel after the commit leaves the work committed", arguments: StoreKind.allCases)
    func after(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let create = repository.create(Film.numbered(1)).record(demand: .none)
            let counts = repository.countSubscription(Film.self).filter { $0 == 1 }.prefix(1).record()
            _ = await counts.end()
            create.cancel()
            let count = try await repository.count(Film.self).value()
            #expect(count == 1)
            #expect(create.values.isEmpty)
        }
    }

    @Test("R10 A batch cancelled at any moment is stored whole or not at all", arguments: StoreKind.allCases, 0..<20)
    func anyMoment(kind: StoreKind, seed: Int) async throws {
        try await withRepository(kind) { repository in
            var random = SeededGenerator(seed: UInt64(seed))
            let stop = Int.random(in: 0..<6000, using: &random)
            let token = SignalToken()
            repository.transaction { store in
                let films = (0..<5000).lazy.map { number -> Film in
                    if number == stop { token.cancel() }
                    return Film.numbered(number)
                }
                return try store.insert(films)
            }.sink(
                cancelledBy: token, onValue: { _ in }, onCompletion: { _ in })
            let count = try await repository.transaction { try $0.count(Film.self) }.value()
            #expect(count == (stop < 5000 ? 0 : 5000), "seed \(seed)")
        }
    }

    @Test("R10 Cancelling some of several live signals leaves the others running", arguments: StoreKind.allCases)
    func others(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let live = (0..<20).map { _ in repository.countSubscription(Film.self).record() }
            for recorder in live { _ = await recorder.values(1) }
            for recorder in live.prefix(10) { recorder.cancel() }
            try await repository.create(Film.numbered(1)).value()
            for recorder in live.dropFirst(10) { #expect(await recorder.values(2) == [0, 1]) }
            for recorder in live.prefix(10) { #expect(recorder.values == [0]) }
            for recorder in live { recorder.cancel() }
        }
    }
}

/// A value or an error that does something when it is released.
private final class Releasing: Error {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    deinit { action() }
}
