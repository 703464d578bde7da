import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Synchronization
import Testing

@Suite("stream", .timeLimit(.minutes(10))) struct StreamTests {
    @Test("A stream delivers every item in the query's order, and then finishes", arguments: StoreKind.allCases)
    func all(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            for count in [0, 1, 2, 1_000] {
                try await repository.delete(Film.self) { _ in .true }.value()
                let films = (0..<count).map { Film.numbered($0) }
                try await repository.insert(films).value()
                let query = Film.where { $0.boxOffice >= 1 }.sorted(by: \.boxOffice, .descending)
                let run = repository.stream(query).record()
                #expect(await run.end() == .finished)
                #expect(run.values == films.dropFirst().reversed())
                let limited = repository.stream(query.limit(3).offset(1)).record()
                _ = await limited.end()
                #expect(limited.values == Array(films.dropFirst().reversed().dropFirst().prefix(3)))
            }
        }
    }

    @Test("R17 An item is made when it is requested; the end comes with the last one", arguments: StoreKind.allCases)
    func demand(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = (0..<3).map { Film.numbered($0) }
            try await repository.insert(films).value()
            let run = repository.stream(Film.all).record(demand: .max(1))
            #expect(await run.values(1) == [films[0]])
            run.request(.max(1))
            #expect(await run.values(2) == Array(films.prefix(2)))
            #expect(!run.isEnded)
            run.request(.max(1))
            #expect(await run.end() == .finished)
            #expect(run.values == films)
            let none = repository.stream(Film.where { $0.title == "?" }).record(demand: .none)
            #expect(await none.end() == .finished)
        }
    }

    @Test("S17 For an item that an operator drops, another one is made", arguments: StoreKind.allCases)
    func dropped(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert((0..<10).map { Film.numbered($0) }).value()
            let run = repository.stream(Film.all).filter { $0.boxOffice > 5 }.record(demand: .max(1))
            #expect(await run.values(1) == [.numbered(6)])
            run.cancel()
        }
    }

    @Test("All items are of one state of the store; a writer does not wait for an idle sink")
    func snapshot() async throws {
        try await withRepository(.file) { repository in
            let films = (0..<100).map { Film.numbered($0) }
            try await repository.insert(films).value()
            let run = repository.stream(Film.all).record(demand: .max(1))
            #expect(await run.values(1) == [films[0]])
            try await repository.update(Film.self, set: [.set(\.title, to: "changed")]) { _ in .true }.value()
            try await repository.delete(Film.self) { $0.boxOffice > 50 }.value()
            run.request(.unlimited)
            #expect(await run.end() == .finished)
            #expect(run.values == films)
            #expect(try await repository.count(Film.where { $0.title == "changed" }).value() == 51)
        }
    }

    @Test("Many idle streams do not hold up a reader")
    func resting() async throws {
        try await withRepository(.file) { repository in
            try await repository.insert((0..<10).map { Film.numbered($0) }).value()
            let runs = (0..<20).map { _ in repository.stream(Film.all).record(demand: .max(1)) }
            for run in runs { #expect(await run.values(1).count == 1) }
            #expect(try await repository.count(Film.self).value() == 10)
            for run in runs { run.cancel() }
        }
    }

    @Test("Nothing arrives after a cancel, and the repository closes", arguments: StoreKind.allCases)
    func cancel(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert((0..<1_000).map { Film.numbered($0) }).value()
            let some = repository.stream(Film.all).prefix(10).record()
            #expect(await some.end() == .finished)
            #expect(some.values.count == 10)
            let run = repository.stream(Film.all).record(demand: .max(5))
            #expect(await run.values(5).count == 5)
            run.cancel()
            await closed(repository)
            #expect(run.values.count == 5 && !run.isEnded)
        }
    }

    @Test("R11 Closing ends an idle stream with .closed, and a closed repository ends a new one the same way")
    func closing() async throws {
        try await withRepository(.file) { repository in
            try await repository.insert((0..<10).map { Film.numbered($0) }).value()
            let run = repository.stream(Film.all).record(demand: .max(1))
            #expect(await run.values(1).count == 1)
            await closed(repository)
            #expect(await run.end() == .failure(.closed))
            #expect(await repository.stream(Film.all).record().end() == .failure(.closed))
        }
    }

    @Test("R9 R11 A sink of a stream may wait for the repository to close")
    func closingInside() async throws {
        try await withRepository(.file) { repository in
            try await repository.insert((0..<10).map { Film.numbered($0) }).value()
            let (isClosed, ends) = (Gate(), Gate())
            let count = Counter()
            let outcome = CurrentValue<Completion<RepositoryError>?, Never>(nil)
            let run = repository.stream(Film.all).sink(
                onValue: { _ in
                    count.add()
                    let closing = repository.close().sink(onValue: { _ in }, onCompletion: { _ in isClosed.open() })
                    isClosed.wait()
                    closing.cancel()
                },
                onCompletion: {
                    outcome.send($0)
                    ends.open()
                })
            await ends.opened()
            #expect(count.value == 1)
            #expect(await outcome.signal.compactMap { $0 }.value() == .failure(.closed))
            run.cancel()
        }
    }

    @Test("R11 A sink of a stream that blocks does not hold up closing, cancelled or not", arguments: [false, true])
    func blocked(isCancelled: Bool) async throws {
        try await withRepository(.file) { repository in
            try await repository.insert((0..<10).map { Film.numbered($0) }).value()
            let blocked = BlockedSinks(5, of: repository.stream(Film.all))
            await blocked.arrived(5)
            if isCancelled { blocked.cancel() }
            await closed(repository)
            blocked.release()
            blocked.cancel()
        }
    }

    @Test("A row that is not a valid item ends the stream with an error", arguments: StoreKind.allCases)
    func undecodable(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            try await repository.insert((0..<3).map { Measure.numbered($0) }).value()
            try await repository.transaction { try $0.execute(Measure.spoil, 2) }.value()
            let run = repository.stream(Measure.all.sorted(by: \.whole)).record()
            guard case .failure(.decoding("Measure", "small", _, let item)) = await run.end() else {
                Issue.record("\(run.values)")
                return
            }
            #expect(item?.id == "2")
            #expect(run.values.count == (kind == .memory ? 0 : 2))
        }
    }
}
