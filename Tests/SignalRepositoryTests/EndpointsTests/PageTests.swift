import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("page", .timeLimit(.minutes(10))) struct PageTests {
    private struct Row: Entity, Equatable {
        let id: Int
        var text: String
        var number: Double?
        var price: Decimal?

        static let schema = Schema(
            Column("id", \Row.id), Column("text", \.text), Column("number", \.number, .indexed),
            Column("price", \.price, .scale(2)), make: Row.init)

        static func random(_ id: Int, _ random: inout SeededGenerator) -> Row {
            let numbers: [Double?] = [nil, 0, -1.5, .infinity, -.infinity, 1e300]
            return Row(
                id: id, text: TextZoo.texts.randomElement(using: &random) ?? "",
                number: numbers.randomElement(using: &random) ?? nil,
                price: Int.random(in: 0...3, using: &random) == 0
                    ? nil : Decimal(Int.random(in: -2...2, using: &random)))
        }
    }

    private func pages(
        _ repository: any Repository, _ query: FetchQuery<Row>, size: Int
    ) async throws -> [[Row]] {
        var (pages, cursor): ([[Row]], PageCursor?) = ([], nil)
        repeat {
            // The cursor is made from its text, as a client sends it back.
            let page = try await repository.fetch(query.page(after: cursor.map { PageCursor($0.text) }, size: size))
                .value()
            pages.append(page.items)
            cursor = page.next
        } while cursor != nil
        return pages
    }

    @Test("The pages have all items in their order, whatever they are ordered by", arguments: StoreKind.allCases)
    func all(kind: StoreKind) async throws {
        var random = SeededGenerator(seed: 7)
        let rows = (0..<40).map { id in
            var row = Row.random(id, &random)
            if kind == .postgres { row.text = row.text.withoutNUL }
            return row
        }
        var queries = [
            Row.all, Row.all.sorted(by: \.text), Row.all.sorted(by: \.number, .descending),
            Row.all.sorted(by: \.number).sorted(by: \.text, .descending),
            Row.where { $0.price != nil }.sorted(by: \.price, .descending).sorted(by: \.number, .descending),
            Row.all.sorted(by: \.price).sorted(by: \.id, .descending),
            Row.all.sorted { $0.number - $0.number }.sorted(by: \.text, .descending),
            Row.all.sorted(.descending) { $0.number * 2 }.sorted { $0.price == nil },
            Row.all.sorted { $0.number }.sorted(.descending) { $0.price ?? 7 },
            Row.where { $0.id > 1 }.sorted(.descending) { $0.price + $0.price },
        ]
        // PostgreSQL does not compute with texts.
        if kind != .postgres {
            queries += [
                Row.all.sorted { $0.text.count }, Row.all.sorted(.descending) { $0.text.uppercased() },
                Row.where { $0.text.count > 1 }.sorted { $0.text.prefix(1) },
            ]
        }
        try await withRepository(kind, [Row.self]) { repository in
            try await repository.insert(rows.shuffled(using: &random)).value()
            for query in queries {
                let expected = try await repository.fetch(query.sorted(by: \.id)).value()
                for size in [1, 2, 3, 39, 40, 41, 1_000] {
                    let pages = try await pages(repository, query, size: size)
                    #expect(pages.flatMap(\.self).map(\.id) == expected.map(\.id))
                    #expect(pages.dropLast().allSatisfy { $0.count == size })
                }
            }
        }
    }

    @Test("Items inserted or deleted before the cursor do not shift later pages", arguments: StoreKind.allCases)
    func stable(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert((0..<20).map { Film.numbered($0 * 10) }).value()
            let query = Film.all.sorted(by: \.boxOffice)
            let first = try await repository.fetch(query.page(size: 5)).value()
            try await repository.delete(Film.self) { $0.boxOffice <= 40 }.value()
            try await repository.insert((1...9).map { Film.numbered($0) }).value()
            let second = try await repository.fetch(query.page(after: first.next, size: 5)).value()
            #expect(second.items.map(\.boxOffice) == [50, 60, 70, 80, 90])
            let last = try await repository.fetch(query.page(after: second.next, size: 10)).value()
            #expect(last.items.count == 10 && last.next == nil)
        }
    }

    @Test("Cursors of another order, damaged ones, invalid sizes and limits are refused", arguments: StoreKind.allCases)
    func refused(kind: StoreKind) async throws {
        try await withRepository(kind, [Row.self]) { repository in
            try await repository.insert((0..<5).map { Row(id: $0, text: "a", number: 1, price: nil) }).value()
            let cursor = try await repository.fetch(Row.all.sorted(by: \.text).page(size: 2)).value().next
            let next = try #require(cursor)
            await expectFailure(\.isMisuse) { try await repository.fetch(Row.all.page(after: next, size: 2)).value() }
            let descending = Row.all.sorted(by: \.text, .descending)
            await expectFailure(\.isMisuse) {
                try await repository.fetch(descending.page(after: next, size: 2)).value()
            }
            let computed = try await repository.fetch(Row.all.sorted { $0.number + 2 }.page(size: 2)).value().next
            await expectFailure(\.isMisuse) {
                try await repository.fetch(Row.all.sorted { $0.number + 3 }.page(after: computed, size: 2)).value()
            }
            let texts = [
                "", "~", "text.a,id.a~", "text.a,id.a~ta", "text.a,id.a~ta,i1,i2", "text.a,id.a~x,y", next.text + "%",
            ]
            for text in texts {
                await expectFailure(\.isMisuse) {
                    try await repository.fetch(Row.all.sorted(by: \.text).page(after: PageCursor(text), size: 2))
                        .value()
                }
            }
            for size in [0, -1, .max] {
                await expectFailure(\.isMisuse) { try await repository.fetch(Row.all.page(size: size)).value() }
            }
            await expectFailure(\.isMisuse) { try await repository.fetch(Row.all.limit(3).page(size: 2)).value() }
            await expectFailure(\.isMisuse) { try await repository.fetch(Row.all.offset(3).page(size: 2)).value() }
        }
    }

    @Test("A cursor holds the values of the row, not the encoded values of its item", arguments: StoreKind.allCases)
    func rows(kind: StoreKind) async throws {
        try await withRepository(kind, [Work.self]) { repository in
            try await repository.insert((0..<25).map { Work(id: $0, genre: "drama") }).value()
            _ = try await repository.transaction { try $0.execute(#"UPDATE "Work" SET genre = 'western'"#) }.value()
            for direction in [Ordering<Work>.Direction.ascending, .descending] {
                var (ids, cursor): ([Int], PageCursor?) = ([], nil)
                repeat {
                    let query = Work.all.sorted(by: \.genre, direction)
                    let page = try await repository.fetch(query.page(after: cursor, size: 10)).value()
                    ids += page.items.map(\.id)
                    cursor = page.next
                    let isSafe = cursor?.text.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) }
                    #expect(isSafe != false)
                } while cursor != nil && ids.count <= 25
                #expect(ids == Array(0..<25))
            }
        }
    }

    private struct Event: Entity {
        let id: Int
        var date: Date
        static let schema = Schema(Column("id", \Event.id), Column("date", \.date), make: Event.init)
    }

    @Test("A date that is too far away to have a year is in the pages too", arguments: [true, false])
    func farDates(isAscending: Bool) async throws {
        try await withRepository(.memory, [Event.self]) { repository in
            let times: [TimeInterval] = [0, 1e16, 40_000_000, -1e16]
            try await repository.insert(
                times.enumerated().map { Event(id: $0, date: Date(timeIntervalSinceReferenceDate: $1)) }
            ).value()
            let query = Event.all.sorted(isAscending ? .ascending : .descending) { $0.date.year() }
            var (ids, cursor): ([Int], PageCursor?) = ([], nil)
            repeat {
                let page = try await repository.fetch(query.page(after: cursor, size: 1)).value()
                ids += page.items.map(\.id)
                cursor = page.next
            } while cursor != nil && ids.count < 9
            #expect(ids == (isAscending ? [1, 3, 0, 2] : [2, 0, 1, 3]))
            #expect(try await repository.count(Event.where { $0.date.year() != 2001 }).value() == 3)
        }
    }

    @Test("The text of a cursor stays as it was, because clients keep old ones; any other text is refused")
    func spelling() async throws {
        try await withRepository(.memory, [Row.self]) { repository in
            try await repository.insert((1...3).map { Row(id: $0, text: "a", number: nil, price: nil) }).value()
            let query = Row.all.sorted(by: \.text, .descending)
            let content = "text.d,id.a~ta,i1"
            #expect(try await repository.fetch(query.page(size: 1)).value().next == PageCursor(encoding: content))
            let page = try await repository.fetch(query.page(after: PageCursor(encoding: content), size: 2)).value()
            #expect(page.items.map(\.id) == [2, 3])
            for other in ["~" + content, content + "~", "text.d,id.a~~ta,i1", "text.a,id.d~ta,i1", "text.d,id.a"] {
                await expectFailure(\.isMisuse) {
                    try await repository.fetch(query.page(after: PageCursor(encoding: other), size: 2)).value()
                }
            }
        }
    }

    @Test("A cursor is its text in JSON")
    func json() throws {
        let data = try JSONEncoder().encode([PageCursor("a.a~i1")])
        #expect(String(decoding: data, as: UTF8.self) == "[\"a.a~i1\"]")
        #expect(try JSONDecoder().decode([PageCursor].self, from: data) == [PageCursor("a.a~i1")])
    }
}

/// An entity that reads an unknown genre as "other".
private struct Work: Entity {
    struct Genre: ColumnValue, RawRepresentable, Equatable {
        let rawValue: String
        init(rawValue: String) { self.rawValue = rawValue == "drama" ? rawValue : "other" }
    }

    let id: Int
    var genre: Genre
    static let schema = Schema(Column("id", \Work.id), Column("genre", \.genre), make: { Work(id: $0, genre: $1) })

    init(id: Int, genre: Genre) { (self.id, self.genre) = (id, genre) }
    init(id: Int, genre: String) { self.init(id: id, genre: Genre(rawValue: genre)) }
}
