import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("transaction", .timeLimit(.minutes(10))) struct TransactionTests {
    private struct Mine: Error, Equatable {}

    @Test("R16 The result of the body arrives when everything is committed", arguments: StoreKind.allCases)
    func commit(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let answer = try await repository.transaction { store in
                try store.create(Film.numbered(1))
                try store.create(Film.numbered(2))
                return "done"
            }.value()
            #expect(answer == "done")
            #expect(try await repository.count(Film.self).value() == 2)
        }
    }

    @Test(
        "R16 A throwing body rolls back everything, batches too, and its error arrives", arguments: StoreKind.allCases)
    func rollBack(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.create(Film.numbered(1)).value()
            let throwing: Signal<Int, RepositoryError> = repository.transaction { store in
                try store.insert((2...5000).map { Film.numbered($0) })
                try store.delete(Film.numbered(1))
                throw Mine()
            }
            await expectFailure({
                if case .rolledBack(let error) = $0 { error.error as? Mine == Mine() } else { false }
            }) {
                try await throwing.value()
            }
            await expectFailure(\.isNotFound) {
                try await repository.transaction { store in
                    try store.create(Film.numbered(7))
                    try store.delete(Film.numbered(8))
                }.value()
            }
            #expect(try await repository.fetch(Film.all).value() == [.numbered(1)])
        }
    }

    @Test("R16 cancel() rolls back everything, and the signal fails", arguments: StoreKind.allCases)
    func cancel(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            await expectFailure(\.isCancelled) {
                try await repository.transaction { store in
                    try store.create(Film.numbered(1))
                    store.cancel()
                    #expect(throws: RepositoryError.self) { try store.create(Film.numbered(2)) }
                    #expect(throws: RepositoryError.self) { try store.count(Film.self) }
                    return 5
                }.value()
            }
            let count = try await repository.count(Film.self).value()
            #expect(count == 0)
        }
    }

    @Test("R16 A nested transaction is a savepoint", arguments: StoreKind.allCases)
    func nested(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let depth = try await repository.transaction { store in
                try store.create(Film.numbered(1))
                try store.transaction { try $0.create(Film.numbered(2)) }
                #expect(throws: RepositoryError.self) {
                    try store.transaction { inner in
                        try inner.create(Film.numbered(3))
                        try inner.transaction { try $0.create(Film.numbered(4)) }
                        throw Mine()
                    }
                }
                #expect(throws: RepositoryError.self) {
                    try store.transaction { inner in
                        try inner.create(Film.numbered(5))
                        inner.cancel()
                    }
                }
                return try store.transaction { inner in
                    try inner.transaction { innermost in
                        try innermost.create(Film.numbered(6))
                        return 3
                    }
                }
            }.value()
            #expect(depth == 3)
            #expect(try await repository.fetch(Film.all).value().map(\.boxOffice) == [1, 2, 6])
        }
    }

    @Test("R16 Using a handle afterwards is an error", arguments: StoreKind.allCases)
    func ended(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let box = HandleBox()
            try await repository.transaction { store in
                box.write = store
                try store.transaction { box.inner = $0 }
                #expect(throws: RepositoryError.self) { try box.inner?.count(Film.self) }
                _ = try? store.count(Film.self)
            }.value()
            try await repository.read { store in box.read = store }.value()
            for handle in [box.write, box.inner, box.read] {
                await expectFailure(\.isTransactionEnded) { try handle?.count(Film.self) }
                await expectFailure(\.isTransactionEnded) { try handle?.find(Film.self, id: Film.id(1)) }
            }
            await expectFailure(\.isTransactionEnded) { try box.write?.create(Film.numbered(1)) }
            await expectFailure(\.isTransactionEnded) { try box.write?.insert([Film.numbered(1)]) }
            await expectFailure(\.isTransactionEnded) { try box.write?.transaction { _ in } }
        }
    }

    @Test("R16 One author covers the transaction and its nested ones", arguments: StoreKind.allCases)
    func author(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let authors = try await repository.transaction(author: "Ann") { store in
                [store.author, try store.transaction { $0.author }]
            }.value()
            #expect(authors == ["Ann", "Ann"])
        }
    }

    @Test("R16 Transactions run one after the other, in the order of attaching", arguments: StoreKind.allCases)
    func serial(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let writes = (0..<100).map { number in
                repository.transaction { store in
                    let count = try store.count(Film.self)
                    try store.create(Film.numbered(number))
                    return count
                }.record()
            }
            for (number, write) in writes.enumerated() { #expect(await write.values(1) == [number]) }
        }
    }
}

/// A box that carries handles out of their bodies, which the compiler would not allow otherwise.
///
/// Safe because the bodies run one after the other, and the test waits for each.
private final class HandleBox: @unchecked Sendable {
    var write: WriteTransaction?
    var inner: WriteTransaction?
    var read: ReadTransaction?
}
