import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

/// `wait()` blocks its thread, so these tests call it in functions that are not `async`.
@Suite("R1 wait()", .timeLimit(.minutes(5))) struct WaitTests {
    private func here() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }

    @Test("Reads, writes and the stages after them run on the waiting thread", arguments: StoreKind.allCases)
    func onThisThread(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            func steps() throws {
                let film = try repository.create(Film.numbered(1)).wait()
                #expect(film == .numbered(1))
                let inside = try repository.transaction { _ in here() }.wait()
                let read = try repository.read { _ in here() }.wait()
                let after = try repository.read(Film.self, id: film.id).map { _ in here() }.wait()
                let next = try repository.delete(film).flatMap { _ in repository.count(Film.self) }
                    .map { count in (count, here()) }.wait()
                #expect(inside == here() && read == here() && after == here())
                #expect(next.0 == 0 && next.1 == here())
            }
            try steps()
        }
    }

    @Test("Every kind of end has the same result as with value()", arguments: StoreKind.allCases)
    func ends(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            func steps() throws {
                #expect(throws: RepositoryError.notFound(entity: "Film", id: "\(Film.id(9))")) {
                    try repository.read(Film.self, id: Film.id(9)).wait()
                }
                #expect(throws: RepositoryError.noValue) {
                    try repository.count(Film.self).filter { $0 > 0 }.wait()
                }
                #expect(throws: RepositoryError.self) {
                    try repository.transaction { store in
                        try store.create(Film.numbered(1))
                        throw CancellationError()
                    }.wait()
                }
                // The connection that has just failed still works.
                #expect(try repository.count(Film.self).wait() == 0)
                try repository.insert((1...1_000).map { Film.numbered($0) }).wait()
                #expect(try repository.stream(Film.all).collect().wait().count == 1_000)
                #expect(try repository.countSubscription(Film.self).wait() == 1_000)
                let longer = repository.countSubscription(Film.self).first { $0 > 1_000 }
                let token = repository.create(Film.numbered(1_001)).sink(onValue: { _ in }, onCompletion: { _ in })
                #expect(try longer.wait() == 1_001)
                token.cancel()
                try repository.close().wait()
                #expect(throws: RepositoryError.closed) { try repository.count(Film.self).wait() }
                #expect(throws: RepositoryError.closed) { try repository.create(Film.numbered(2)).wait() }
            }
            try steps()
        }
    }

    @Test("Inside a body the call is refused, because it could wait forever", arguments: StoreKind.allCases)
    func insideBody(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            @Sendable func refused() -> Bool {
                do throws(RepositoryError) {
                    try repository.create(Film.numbered(2)).wait()
                } catch {
                    return error.isMisuse
                }
                return false
            }
            #expect(try await repository.transaction { _ in refused() }.value())
            #expect(try await repository.read { _ in refused() }.value())
            func steps() throws {
                #expect(try repository.transaction { _ in refused() }.wait())
                #expect(try repository.read { _ in refused() }.wait())
                // After the body this thread may wait again, even inside a stage.
                try repository.create(Film.numbered(1)).map { _ in try? repository.count(Film.self).wait() }.wait()
            }
            try steps()
            #expect(try await repository.count(Film.self).value() == 1)
        }
    }

    @Test("A waiting call runs in its turn: after earlier work and before later work", arguments: StoreKind.allCases)
    func turns(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let (held, inside) = (Gate(), Gate())
            let order = Lock<[Int]>([])
            @Sendable func add(_ number: Int) -> Signal<Void, RepositoryError> {
                repository.transaction { _ in order.withLock { $0.append(number) } }
            }
            let first = repository.transaction { _ in
                inside.open()
                held.wait()
                order.withLock { $0.append(1) }
            }.record()
            await inside.opened()
            let second = add(2).record()
            func steps() throws {
                held.open()
                try add(3).wait()
                let others = try repository.transaction { _ in
                    order.withLock { $0.append(4) }
                    return [add(5).record(), add(6).record()]
                }.wait()
                try add(7).wait()
                #expect(order.withLock { $0 } == Array(1...7))
                #expect(others.count == 2)
                withExtendedLifetime((first, second, others)) {}
            }
            try steps()
        }
    }

    @Test("Many threads wait during writes that nobody waits for, and no write is lost", arguments: StoreKind.allCases)
    func crowd(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.create(Film.numbered(0, boxOffice: 0)).value()
            let raise: @Sendable (WriteTransaction) throws -> Decimal = { store in
                var film = try store.read(Film.self, id: Film.id(0))
                film.boxOffice += 1
                return try store.update(film).boxOffice
            }
            let free = (0..<20).map { _ in repository.transaction { try raise($0) }.record() }
            func steps() {
                DispatchQueue.concurrentPerform(iterations: 6) { _ in
                    var last: Decimal = 0
                    for _ in 0..<20 {
                        do throws(RepositoryError) {
                            let raised = try repository.transaction { try raise($0) }.wait()
                            let read = try repository.read(Film.self, id: Film.id(0)).wait().boxOffice
                            #expect(last < raised && raised <= read)
                            last = read
                        } catch {
                            Issue.record(error)
                        }
                    }
                }
            }
            steps()
            for recorder in free { _ = await recorder.end() }
            #expect(try await repository.read(Film.self, id: Film.id(0)).value().boxOffice == 140)
        }
    }

    @Test("Blocked sinks do not hold it up, because it needs no delivery thread", arguments: StoreKind.local)
    func besideBlockedSinks(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            // More sinks than the readers' queue has threads.
            let blocked = BlockedSinks(12, of: repository.count(Film.self))
            await blocked.arrived(12)
            func steps() throws {
                try repository.create(Film.numbered(1)).wait()
                #expect(try repository.count(Film.self).wait() == 1)
            }
            try steps()
            blocked.release()
            blocked.cancel()
        }
    }
}
