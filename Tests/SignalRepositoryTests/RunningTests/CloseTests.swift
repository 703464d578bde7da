import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("close and release", .timeLimit(.minutes(10))) struct CloseTests {
    @Test("R11 Queued work is done, live signals and later calls fail with closed", arguments: StoreKind.allCases)
    func close(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let live = (0..<10).map { _ in repository.countSubscription(Film.self).record() }
            for recorder in live { _ = await recorder.values(1) }
            let writes = (0..<50).map { repository.create(Film.numbered($0)).record() }
            let last = repository.countSubscription(Film.self).record()
            let closing = repository.close().record()
            let late = repository.create(Film.numbered(99)).record()
            _ = await closing.end()
            #expect(closing.values.count == 1)
            for write in writes {
                #expect(await write.values(1).count == 1)
                #expect(await write.end() != nil)
            }
            for recorder in live + [last] {
                guard case .failure(.closed)? = await recorder.end() else {
                    return #expect(Bool(false), "\(String(describing: recorder.completion))")
                }
            }
            #expect(live.allSatisfy { $0.values.last == 50 })
            guard case .failure(.closed)? = await late.end() else { return #expect(Bool(false)) }
            await expectFailure(\.isClosed) { try await repository.fetch(Film.all).value() }
            await expectFailure(\.isClosed) { try await repository.countSubscription(Film.self).value() }
            #expect(await repository.close().record().end() != nil)
        }
    }

    @Test(
        "R11 Releasing the repository closes it; a signal keeps it, a live run does not", arguments: StoreKind.allCases)
    func release(kind: StoreKind) async throws {
        try await withStore(kind) { store in
            var repository: (any Repository)? = try store.open([Film.self])
            weak let released = repository as AnyObject?
            let live = try #require(repository?.countSubscription(Film.self).record())
            _ = await live.values(1)
            var create = repository?.create(Film.numbered(1))
            repository = nil
            #expect(released != nil)
            try await create?.value()
            create = nil
            guard case .failure(.closed)? = await live.end() else { return #expect(Bool(false)) }
            #expect(released == nil)
            #expect(live.values == [0, 1] || live.values == [0])
        }
    }

    @Test("R11 What was committed before closing is there after opening again")
    func reopen() async throws {
        try await withFolder { folder in
            for round in 0..<5 {
                let repository = try SQLiteRepository(.file(folder + "/store.sqlite"), entities: Film.self)
                let count = try await repository.count(Film.self).value()
                #expect(count == round)
                try await repository.create(Film.numbered(round)).value()
                await closed(repository)
            }
        }
    }

    @Test(
        "R11 An endless read fails with .closed, and so does the read queued behind it",
        arguments: StoreKind.allCases)
    func longRead(kind: StoreKind) async throws {
        var configuration = RepositoryConfiguration()
        configuration.readers = 1
        try await withRepository(kind, configuration: configuration) { repository in
            let gate = Gate()
            let long = repository.read { store in
                gate.open()
                return try store.rows(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
                ).count
            }.record()
            await gate.opened()
            let queued = repository.fetch(Film.all).record()
            await closed(repository)
            for completion in [await long.end().map { "\($0)" }, await queued.end().map { "\($0)" }] {
                #expect(completion?.contains("closed") == true, "\(String(describing: completion))")
            }
        }
    }

    @Test("R11 An endless insertion fails with .closed and stores nothing; that of an array completes")
    func endlessInsert() async throws {
        for kind in StoreKind.allCases {
            try await withRepository(kind) { repository in
                let gate = Gate()
                let endless = repository.insert(Film.self) {
                    (1...).lazy.map { number in
                        if number == 3 { gate.open() }
                        return Film.numbered(number)
                    }
                }.record()
                await gate.opened()
                let array = repository.insert((1...100).map { Film.numbered($0) }).record()
                await closed(repository)
                guard case .failure(.closed)? = await endless.end() else {
                    return #expect(Bool(false), "\(String(describing: endless.completion))")
                }
                #expect(await array.values(1) == [100])
            }
        }
    }
}
