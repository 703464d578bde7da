import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("Callbacks", .timeLimit(.minutes(10))) struct CallbackTests {
    @Test("R1 R9 A callback may write, read, subscribe and close", arguments: StoreKind.allCases)
    func everything(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let total = 20
            let counts = repository.countSubscription(Film.self).record { _, event in
                guard case .value(let count) = event, count < total else { return }
                repository.create(Film.numbered(count)).sink(onValue: { _ in }, onCompletion: { _ in }).detach()
            }
            await counts.values(until: { $0 == total })
            let inner = Signal<Int, RepositoryError>.deferred { repository.countSubscription(Film.self) }
            let nested = repository.fetch(Film.all).flatMap { films in
                repository.sum(of: \Film.boxOffice).flatMap { _ in inner.prefix(1).map { $0 + films.count } }
            }.record()
            #expect(await nested.values(1) == [total * 2])
            let closing = repository.count(Film.self).record { _, event in
                if case .value = event { repository.close() }
            }
            _ = await closing.end()
            _ = await counts.end()
            guard case .failure(.closed)? = counts.completion else {
                return #expect(Bool(false), "\(String(describing: counts.completion))")
            }
        }
    }

    @Test("R1 A failure before any work is delivered on another thread too", arguments: StoreKind.allCases)
    func refused(kind: StoreKind) async throws {
        try await withRepository(kind, [Film.self, Point.self]) { repository in
            await Self.endsElsewhere(repository.insert(from: Signal<Film, Never>.empty(), batch: 0)) { $0.isMisuse }
            await Self.endsElsewhere(repository.objectChanges(Point.self, id: .nan)) {
                if case .encoding = $0 { true } else { false }
            }
            await closed(repository)
            await Self.endsElsewhere(repository.count(Film.self)) { $0.isClosed }
        }
    }

    /// Expects that a signal fails, and that its sink can wait for the attach to return.
    private static func endsElsewhere<Value>(
        _ signal: Signal<Value, RepositoryError>, _ isExpected: @escaping @Sendable (RepositoryError) -> Bool
    ) async {
        let (hasAttached, hasEnded) = (Gate(), Gate())
        let token = signal.sink(
            onValue: { _ in },
            onCompletion: { completion in
                hasAttached.wait()
                defer { hasEnded.open() }
                guard case .failure(let error) = completion, isExpected(error) else {
                    Issue.record("\(completion)")
                    return
                }
            })
        hasAttached.open()
        await hasEnded.opened()
        token.cancel()
    }

    @Test(
        "R1 A callback that blocks until another result arrives does not hold up the database",
        arguments: StoreKind.allCases)
    func blocking(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let recorder = repository.create(Film.numbered(1)).record { _, event in
                guard case .value = event else { return }
                let gate = Gate()
                repository.create(Film.numbered(2)).sink(onValue: { _ in gate.open() }, onCompletion: { _ in }).detach()
                gate.wait()
                let counted = Gate()
                repository.countSubscription(Film.self).sink(
                    onValue: { _ in counted.open() }, onCompletion: { _ in }
                ).detach()
                counted.wait()
            }
            _ = await recorder.end()
            let count = try await repository.count(Film.self).value()
            #expect(count == 2)
        }
    }

    @Test("R9 A token cancelled inside its own value stops at that value", arguments: StoreKind.allCases)
    func cancelInside(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let counts = repository.countSubscription(Film.self).record(cancelAt: 2)
            _ = await counts.values(1)
            _ = try await repository.create(Film.numbered(0)).value()
            _ = await counts.values(2)
            for number in 1...5 { _ = try await repository.create(Film.numbered(number)).value() }
            let other = repository.countSubscription(Film.self).record()
            _ = await other.values(1)
            #expect(counts.values.count == 2)
            #expect(counts.breaches.isEmpty)
            other.cancel()
        }
    }
}

private struct Point: Entity {
    let id: Double
    var name: String
    static let schema = Schema(Column("id", \Point.id), Column("name", \.name), make: Point.init)
}
