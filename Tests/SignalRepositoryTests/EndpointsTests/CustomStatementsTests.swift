import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("Transactions with custom statements", .timeLimit(.minutes(10))) struct CustomStatementsTests {
    private struct Mine: Error {}

    @Test("R16 SQL and endpoints in one body are one transaction, whose result arrives", arguments: StoreKind.allCases)
    func together(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let counts = repository.countSubscription(Film.self).record()
            #expect(await counts.values(1) == [0])
            let titles = try await repository.transaction { store in
                try store.insert((1...3).map { Film.numbered($0) })
                try store.execute(#"UPDATE "Film" SET title = upper(title) WHERE id = ?"#, Film.id(2))
                try store.delete(Film.self, id: Film.id(1))
                return try store.rows(#"SELECT title FROM "Film" ORDER BY id"#).flatMap { $0 }
            }.value()
            #expect(titles == [.text("FILM 2"), .text("Film 3")])
            #expect(try await repository.fetch(Film.all.sorted(by: \.id)).value().map(\.title) == ["FILM 2", "Film 3"])
            #expect(await counts.values(2) == [0, 2])
            counts.cancel()
        }
    }

    @Test("R2 Nothing runs before a sink attaches, and each attach runs the body", arguments: StoreKind.allCases)
    func cold(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let creation = repository.transaction { store in
                try store.create(Film.numbered(try store.count(Film.self) + 1)).number
            }
            let before = try await repository.count(Film.self).value()
            let numbers = [try await creation.value(), try await creation.value()]
            #expect(before == 0 && numbers == [1, 2])
        }
    }

    @Test("R16 A body that throws or cancels stores nothing, not even by raw SQL", arguments: StoreKind.allCases)
    func undone(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.create(Film.numbered(1)).value()
            let throwing: Signal<Int, RepositoryError> = repository.transaction { store in
                try store.execute(#"DELETE FROM "Film""#)
                throw Mine()
            }
            await expectFailure({ if case .rolledBack(let error) = $0 { error.error is Mine } else { false } }) {
                try await throwing.value()
            }
            await expectFailure(\.isMisuse) {
                try await repository.transaction { store in
                    try store.execute(#"DELETE FROM "Film""#)
                    try store.execute("COMMIT")
                }.value()
            }
            await expectFailure(\.isCancelled) {
                try await repository.transaction { store in
                    try store.execute(#"DELETE FROM "Film""#)
                    store.cancel()
                }.value()
            }
            #expect(try await repository.fetch(Film.all).value() == [.numbered(1)])
        }
    }

    @Test("R16 A nested transaction is rolled back alone, and has the same author", arguments: StoreKind.allCases)
    func inside(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let authors = try await repository.transaction(author: "Ann") { store in
                try store.create(Film.numbered(1))
                let error = try thrown { () throws(RepositoryError) in
                    try store.transaction { inner in
                        try inner.execute(#"DELETE FROM "Film""#)
                        throw Mine()
                    }
                }
                guard case .rolledBack(let cause) = error, cause.error is Mine else { throw error }
                try store.transaction { _ = try $0.create(Film.numbered(2)) }
                return [store.author, try store.transaction(\.author)]
            }.value()
            #expect(authors == ["Ann", "Ann"])
            #expect(try await repository.count(Film.self).value() == 2)
        }
    }
}
