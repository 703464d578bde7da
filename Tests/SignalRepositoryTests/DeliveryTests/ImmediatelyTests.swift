import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("R3 immediately()", .timeLimit(.minutes(10))) struct ImmediatelyTests {
    private func here() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }

    @Test(
        "The first value arrives on the attaching thread before the attach returns; the others follow",
        arguments: StoreKind.allCases)
    func atOnce(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.create(Film.numbered(1)).value()
            func attached() -> Recorder<Int, RepositoryError> {
                let thread = here()
                let threads = Lock<[ObjectIdentifier]>([])
                let recorder = repository.countSubscription(Film.self).immediately()
                    .handleEvents(onValue: { _ in threads.withLock { $0.append(ObjectIdentifier(Thread.current)) } })
                    .record()
                #expect(recorder.values == [1])
                #expect(threads.withLock { $0 } == [thread])
                return recorder
            }
            let (first, second) = (attached(), attached())
            for number in 2...20 { try await repository.create(Film.numbered(number)).value() }
            for recorder in [first, second] {
                await recorder.values(until: { $0 == 20 })
                #expect(recorder.values == recorder.values.sorted() && recorder.breaches.isEmpty)
                #expect(recorder.values.count == Set(recorder.values).count)
            }
            func again() {
                let recorder = repository.fetchSubscription(Film.all.sorted(by: \.title).limit(3)).immediately()
                    .record()
                #expect(recorder.values.first?.map(\.title) == ["Film 1", "Film 10", "Film 11"])
                let one = repository.fetch(Film.all).immediately().record()
                #expect(one.values.map(\.count) == [20] && one.completion == .finished)
            }
            again()
        }
    }

    @Test(
        "During concurrent writes each value is newer than the one before, and the last state arrives",
        arguments: StoreKind.allCases)
    func whileOthersWrite(kind: StoreKind) async throws {
        let total = 400
        try await withRepository(kind) { repository in
            let acknowledged = Lock(0)
            let writing = Task {
                for number in 1...total {
                    try await repository.create(Film.numbered(number)).value()
                    acknowledged.withLock { $0 = number }
                }
            }
            let recorders = await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    var recorders: [Recorder<Committed<Int>, RepositoryError>] = []
                    while acknowledged.withLock({ $0 }) < total, recorders.count < 300 {
                        let known = acknowledged.withLock { $0 }
                        let recorder = repository.follow(LiveQuery { try $0.count(Film.self) }).immediately().record()
                        #expect(recorder.values.first.map { $0.value >= known } == true)
                        recorders.append(recorder)
                    }
                    continuation.resume(returning: recorders)
                }
            }
            try await writing.value
            for recorder in recorders {
                let values = await recorder.values(until: { $0.value == total })
                #expect(recorder.breaches.isEmpty)
                #expect(zip(values, values.dropFirst()).allSatisfy { $0.value < $1.value && $0.commit < $1.commit })
            }
        }
    }

    @Test("Values that were not requested wait, and so does the end", arguments: StoreKind.allCases)
    func demand(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.create(Film.numbered(1)).value()
            func attached<Value>(_ signal: Signal<Value, RepositoryError>) -> Recorder<Value, RepositoryError> {
                let recorder = signal.immediately().record(demand: .none)
                #expect(recorder.values.isEmpty && !recorder.isEnded)
                return recorder
            }
            let one = attached(repository.count(Film.self))
            let live = attached(repository.countSubscription(Film.self))
            let cancelled = attached(repository.countSubscription(Film.self))
            cancelled.cancel()
            cancelled.request(.max(1))
            for recorder in [one, live] {
                recorder.request(.max(1))
                #expect(recorder.values == [1])
            }
            #expect(one.completion == .finished && cancelled.values.isEmpty)
            try await repository.create(Film.numbered(2)).value()
            try await repository.create(Film.numbered(3)).value()
            live.request(.unlimited)
            #expect(await live.values(until: { $0 == 3 }).first == 1)
            // The end arrives while the first value is still waiting.
            let kept = attached(repository.countSubscription(Film.self))
            await repository.close().value()
            #expect(await live.end() == .failure(.closed))
            #expect(kept.values.isEmpty && !kept.isEnded)
            kept.request(.unlimited)
            #expect(kept.values == [3])
            #expect(await kept.end() == .failure(.closed))
            for recorder in [one, live, kept] { #expect(recorder.breaches.isEmpty) }
        }
    }

    @Test("A failure arrives at once; inside a body the call is refused", arguments: StoreKind.allCases)
    func failures(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            @Sendable func ends() -> Bool {
                let recorder = repository.countSubscription(Film.self).immediately().record()
                guard case .failure(let error)? = recorder.completion else { return false }
                return error.isMisuse && recorder.values.isEmpty
            }
            let inRead = try await repository.read { _ in ends() }.value()
            let inTransaction = try await repository.transaction { _ in ends() }.value()
            #expect(inRead && inTransaction)
            func steps() {
                let token = SignalToken()
                let values = Lock<[Int]>([])
                repository.countSubscription(Film.self).immediately().sink(
                    cancelledBy: token,
                    onValue: { value in
                        values.withLock { $0.append(value) }
                        token.cancel()
                    }, onCompletion: { _ in Issue.record("A cancelled signal has no end.") })
                #expect(values.withLock { $0 } == [0])
                let missing = repository.read(Film.self, id: Film.id(9)).immediately().record()
                #expect(missing.completion == .failure(.notFound(entity: "Film", id: "\(Film.id(9))")))
            }
            steps()
            await repository.close().value()
            func closed() {
                #expect(repository.countSubscription(Film.self).immediately().record().completion == .failure(.closed))
            }
            closed()
        }
    }

    @Test("In memory it waits its turn; elsewhere it reads the committed rows", arguments: StoreKind.allCases)
    func turn(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let (held, inside) = (Gate(), Gate())
            let writing = repository.transaction { store in
                try store.create(Film.numbered(1))
                inside.open()
                held.wait()
            }.record()
            await inside.opened()
            let values: [Int] = await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    // A store in memory has only the writer's connection. Other readers see only committed rows.
                    if kind == .memory { held.open() }
                    continuation.resume(
                        returning: repository.countSubscription(Film.self).immediately().record().values)
                }
            }
            if kind != .memory { held.open() }
            #expect(values == [kind == .memory ? 1 : 0])
            #expect(await writing.end() == .finished)
        }
    }
}
