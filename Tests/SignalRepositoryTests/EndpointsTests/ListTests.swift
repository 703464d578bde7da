import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("listSubscription", .timeLimit(.minutes(10))) struct ListTests {
    /// A view model: the rows that a table shows, changed one by one.
    private final class Rows: Sendable {
        let titles = Lock<[String]>([])

        func apply(_ update: ListUpdate<Film>) {
            titles.withLock { titles in
                for change in update.changes {
                    switch change {
                    case .remove(let offset, _, _): titles.remove(at: offset)
                    case .insert(let offset, let film, _): titles.insert(film.title, at: offset)
                    }
                }
            }
        }
    }

    @Test("R4 R7 A list's changes keep a view up to date, and nothing is re-read", arguments: StoreKind.allCases)
    func view(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert((1...40).map { Film.numbered($0, title: "F\($0 + 100)") }).value()
            let rows = Rows()
            let query = Film.where { $0.boxOffice > 10 }.sorted(by: \.title, .descending).limit(10).offset(2)
            let recorder = repository.listSubscription(query).handleEvents(onValue: rows.apply).record()
            #expect(await recorder.values(1).last?.items.map(\.title) == (129...138).reversed().map { "F\($0)" })
            let before = repository.statistics
            try await repository.create(Film.numbered(50, title: "F133b")).value()
            try await repository.delete(Film.self, id: Film.id(40)).value()
            try await repository.update(Film.numbered(31, title: "F999")).value()
            try await repository.update(Film.numbered(36, title: "F136", studio: "new")).value()
            // Neither of these is in the list.
            try await repository.update(Film.numbered(5, title: "F900")).value()
            try await repository.update(Film.numbered(12, title: "F112", studio: "other")).value()
            let expected = try await repository.fetch(query).value()
            let last = await recorder.last(where: { Array($0.items) == expected })
            #expect(last.map { Array($0.items) } == expected)
            #expect(rows.titles.withLock { $0 } == expected.map(\.title))
            // Changes outside the list are not delivered; quick ones may be delivered together.
            #expect((2...5).contains(recorder.values.count))
            #expect(repository.statistics.reads == before.reads)
            #expect(repository.statistics.updatedInPlace > before.updatedInPlace)
            recorder.cancel()
        }
    }

    @Test(
        "R8 A slow sink gets the latest list, with the changes since its last one", arguments: StoreKind.allCases
    )
    func slow(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert((1...5).map { Film.numbered($0) }).value()
            let recorder = Recorder<ListUpdate<Film>, RepositoryError>(demand: .max(1))
            repository.listSubscription(Film.all.sorted(by: \.id)).attach(recorder.sink)
            #expect(await recorder.values(1).last?.changes.count == 5)
            try await repository.create(Film.numbered(6)).value()
            try await repository.update(Film.numbered(2, title: "Other")).value()
            try await repository.delete(Film.self, id: Film.id(6)).value()
            try await repository.delete(Film.self, id: Film.id(1)).value()
            _ = try await repository.countSubscription(Film.self).value()
            recorder.request(.max(1))
            let update = try #require(await recorder.values(2).last)
            #expect(update.items.map(\.title) == ["Other", "Film 3", "Film 4", "Film 5"])
            #expect(
                Array(update.changes) == [
                    .remove(offset: 1, element: .numbered(2), associatedWith: 0),
                    .remove(offset: 0, element: .numbered(1), associatedWith: nil),
                    .insert(offset: 0, element: .numbered(2, title: "Other"), associatedWith: 1),
                ])
            recorder.cancel()
        }
    }

    @Test("R17 When items leave a limited list, items from beyond the limit follow", arguments: StoreKind.allCases)
    func refill(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert((1...200).map { Film.numbered($0) }).value()
            let query = Film.all.sorted(by: \.boxOffice).limit(5)
            let recorder = repository.listSubscription(query).record()
            _ = await recorder.values(1)
            let before = repository.statistics
            for number in 1...100 { try await repository.delete(Film.self, id: Film.id(number)).value() }
            let last = await recorder.last(where: { $0.items.first == .numbered(101) })
            #expect(last.map { Array($0.items) } == (101...105).map { .numbered($0) })
            let after = repository.statistics
            // The list holds 16 items more than its limit; a pass may handle several commits at a time.
            #expect(after.reread == before.reread)
            #expect((1...6).contains(after.refilled - before.refilled))
            recorder.cancel()
        }
    }

    @Test("R4 A list with a raw SQL condition is re-read, one with a deep offset is not", arguments: StoreKind.allCases)
    func fallback(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert((1...30).map { Film.numbered($0) }).value()
            let raw = Film.where(.raw("length(title) > ?", 6)).sorted(by: \.boxOffice)
            let deep = Film.all.sorted(by: \.boxOffice).offset(100_001)
            let (recorder, none) = (
                repository.listSubscription(raw).record(), repository.listSubscription(deep).record()
            )
            #expect(await recorder.values(1).last?.items.count == 21)
            #expect(await none.values(1).last?.items.count == 0)
            let before = repository.statistics
            try await repository.update(Film.numbered(20, title: "A long title", boxOffice: 3)).value()
            let update = try #require(await recorder.values(2).last)
            #expect(Array(update.items) == (try await repository.fetch(raw).value()))
            let was = (10...30).map { Film.numbered($0) }
            #expect(was.applying(update.changes) == Array(update.items))
            #expect(update.changes.count == 2)
            #expect(repository.statistics.reread - before.reread == 1)
            recorder.cancel()
            none.cancel()
        }
    }

    // PostgreSQL's tables have no order.
    @Test(
        "R4 Without sort keys, a list is in table order, in which REPLACE moves a row", arguments: StoreKind.local
    )
    func tableOrder(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert((1...4).map { Film.numbered($0) }).value()
            let recorder = repository.listSubscription(Film.all).record()
            _ = await recorder.values(1)
            try await repository.transaction { store in
                try store.execute("REPLACE INTO Film SELECT * FROM Film WHERE title = ?", "Film 2")
            }.value()
            let update = try #require(await recorder.values(2).last)
            #expect(Array(update.items) == [1, 3, 4, 2].map { .numbered($0) })
            #expect(repository.statistics.reread == 0)
            recorder.cancel()
        }
    }

    @Test("R7 A row that is deleted and stored again with the same key changes nothing", arguments: StoreKind.allCases)
    func storedAnew(kind: StoreKind) async throws {
        try await withRepository(kind, [Entry.self]) { repository in
            let terms = ["a", "b", "z"].map { Entry(id: $0, text: $0, uses: $0 == "z" ? 9 : 1) }
            try await repository.insert(terms).value()
            let recorder = repository.listSubscription(Entry.where { $0.uses < 5 }).record()
            _ = await recorder.values(1)
            // The row gets another rowid, because the last row of the table is not in the list.
            try await repository.transaction { store in
                try store.delete(terms[1])
                try store.insert([terms[1]])
            }.value()
            try await repository.create(Entry(id: "c", text: "c", uses: 1)).value()
            let update = try #require(await recorder.values(2).last)
            #expect(update.items.map(\.id) == ["a", "b", "c"])
            // With another rowid, the row is removed and inserted; that alone was not delivered.
            #expect(Array(terms.prefix(2)).applying(update.changes)?.map(\.id) == ["a", "b", "c"])
            #expect(repository.statistics.reread == 0)
            recorder.cancel()
        }
    }
}
