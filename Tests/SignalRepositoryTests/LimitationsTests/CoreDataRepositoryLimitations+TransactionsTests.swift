import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

/// Transactions, authors and writes of many items.
extension CoreDataRepositoryLimitations {
    private struct Mine: Error {}

    @Test("R18 limitation 3: the author of a transaction covers its batches", arguments: StoreKind.allCases)
    func authorOfBatches(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let recorder = repository.changes().record()
            _ = try await repository.transaction(author: "import") { store in
                try store.insert((1...100).map { Film.numbered($0) })
                try store.update(Film.self, set: [.set(\.title, to: "new")]) { $0.boxOffice > 0 }
                try store.delete(Film.self, ids: (1...10).map(Film.id))
            }.value()
            try await repository.transaction(author: "tidy") { try $0.delete(Film.self) { _ in .true } }.value()
            let sets = await recorder.values(2)
            #expect(sets.map(\.author) == ["import", "tidy"])
            #expect(try sets.first?.inserted(of: Film.self).map(\.title) == Array(repeating: "new", count: 90))
            #expect(try sets.last?.deleted(of: Film.self).count == 90)
            recorder.cancel()
        }
    }

    @Test("R18 limitation 4: all work in a transaction has the transaction's author", arguments: StoreKind.allCases)
    func innerAuthor(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let recorder = repository.changes().record()
            let authors = try await repository.transaction(author: "Ann") { store in
                // Neither the handle's methods nor a nested transaction take an author.
                try store.create(Film.numbered(1))
                return try store.transaction { inner in
                    try inner.insert([Film.numbered(2)])
                    return try inner.transaction { innermost in
                        try innermost.create(Film.numbered(3))
                        return [store.author, inner.author, innermost.author]
                    }
                }
            }.value()
            #expect(authors == ["Ann", "Ann", "Ann"])
            let sets = await recorder.values(1)
            #expect(sets.map(\.author) == ["Ann"])
            #expect(try sets.first?.inserted(of: Film.self).count == 3)
            recorder.cancel()
        }
    }

    @Test("R18 limitation 5: a rollback undoes batches too", arguments: StoreKind.allCases)
    func batchesUndone(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let kept = (1...20).map { Film.numbered($0) }
            try await repository.insert(kept).value()
            let work: @Sendable (WriteTransaction) throws -> Void = { store in
                try store.insert((100...2000).map { Film.numbered($0) })
                try store.update(Film.self, set: [.set(\.title, to: "gone")]) { _ in .true }
                try store.delete(Film.self, ids: (1...10).map(Film.id))
                try store.delete(Film.self) { $0.boxOffice > 1000 }
            }
            let throwing: Signal<Void, RepositoryError> = repository.transaction { store in
                try work(store)
                throw Mine()
            }
            await expectFailure({ if case .rolledBack = $0 { true } else { false } }) { try await throwing.value() }
            await expectFailure(\.isCancelled) {
                try await repository.transaction { store in
                    try work(store)
                    store.cancel()
                }.value()
            }
            #expect(try await repository.fetch(Film.all.sorted(by: \.boxOffice)).value() == kept)
        }
    }

    @Test("R18 limitation 6: an escaped transaction handle fails, and commits nothing", arguments: StoreKind.allCases)
    func escape(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let escaped = EscapedHandle()
            _ = try await repository.transaction { store in
                escaped.handle = store
                try store.create(Film.numbered(1))
            }.value()
            let late = Task.detached {
                try escaped.handle?.create(Film.numbered(2))
            }
            await expectFailure(\.isTransactionEnded) { try await late.value }
            await expectFailure(\.isTransactionEnded) { try escaped.handle?.insert([Film.numbered(3)]) }
            await expectFailure(\.isTransactionEnded) { try escaped.handle?.execute("DELETE FROM Film") }
            #expect(try await repository.fetch(Film.all).value() == [.numbered(1)])
        }
    }

    @Test("R18 limitation 7: a cancelled transaction ends as a failure, without a value", arguments: StoreKind.allCases)
    func cancelled(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let recorder = repository.transaction { store in
                try store.create(Film.numbered(1))
                store.cancel()
                return "the body's value"
            }.record()
            let end = await recorder.end()
            guard case .failure(.cancelled)? = end else { return #expect(Bool(false), "\(String(describing: end))") }
            #expect(recorder.values.isEmpty)
            let count = try await repository.count(Film.self).value()
            #expect(count == 0)
        }
    }

    @Test("R18 limitation 8: every read inside sees what was written before it", arguments: StoreKind.allCases)
    func readsInside(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            await expectFailure(\.isCancelled) {
                try await repository.transaction { store in
                    try store.insert((1...4).map { Film.numbered($0) })
                    #expect(try store.count(Film.self) == 4)
                    #expect(try store.fetch(Film.where { $0.boxOffice > 1 }.count) == 3)
                    #expect(try store.fetch(Film.all.count(groupedBy: \.studio)).map(\.value) == [4])
                    #expect(try store.fetch(Film.all.sum(of: \.boxOffice)) == 10)
                    #expect(try store.fetch(Film.all.average(of: \.boxOffice)) == Decimal(string: "2.5"))
                    #expect(try store.fetch(Film.all.min(of: \.boxOffice)) == 1)
                    #expect(try store.fetch(Film.all.max(of: \.boxOffice)) == 4)
                    #expect(try store.fetch(Film.all.summary(of: \.boxOffice)).count == 4)
                    #expect(try store.fetch(Film.all).count == 4)
                    #expect(try store.read(Film.self, id: Film.id(2)) == .numbered(2))
                    #expect(try store.rows(#"SELECT count(*) FROM "Film""#) == [[.integer(4)]])
                    store.cancel()
                }.value()
            }
            let count = try await repository.count(Film.self).value()
            #expect(count == 0)
        }
    }

    @Test(
        "R18 limitation 18: many items are one commit: all or none of them, or as many as succeed, with a report",
        arguments: StoreKind.allCases)
    func many(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let recorder = kind == .postgres ? nil : repository.changes().record()
            try await repository.createAtomically((1...9).map { Film.numbered($0) }).value()
            await expectFailure(\.isConstraint) {
                try await repository.createAtomically([Film.numbered(20), .numbered(1), .numbered(21)]).value()
            }
            await expectFailure(\.isNotFound) {
                try await repository.updateAtomically([Film.numbered(1, title: "x"), .numbered(20)]).value()
            }
            await expectFailure(\.isNotFound) {
                try await repository.deleteAtomically(Film.self, ids: [Film.id(1), Film.id(20)]).value()
            }
            #expect(try await repository.count(Film.self).value() == 9)
            let report = try await repository.create([Film.numbered(10), .numbered(1), .numbered(11)]).value()
            #expect(report.success.map(\.number) == [10, 11])
            #expect(report.failed.map(\.item.number) == [1] && report.failed.allSatisfy(\.error.isConstraint))
            guard let recorder else { return }
            let texts = try await recorder.values(2).map { try ChangeLine($0).description.split(separator: ", ").count }
            #expect(texts == [9, 2])
            recorder.cancel()
        }
    }
}

/// Safe because the body has ended before another thread reads the handle.
private final class EscapedHandle: @unchecked Sendable {
    var handle: WriteTransaction?
}
