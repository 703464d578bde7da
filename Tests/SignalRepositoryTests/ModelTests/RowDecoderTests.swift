import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Reading a row", .timeLimit(.minutes(10))) struct RowDecoderTests {
    @Test("Each value is decoded by its column's codec, whatever its type", arguments: StoreKind.allCases)
    func codecs(kind: StoreKind) async throws {
        try await withRepository(kind, [Ticket.self]) { repository in
            let tickets = [
                Ticket(id: 1, code: "abc", price: 12.5, tags: ["a"], notes: ["n"], seat: .window, row: 17),
                Ticket(id: 2, code: "", price: nil, tags: [], notes: nil, seat: nil, row: -3),
            ]
            try await repository.insert(tickets).value()
            #expect(try await repository.fetch(Ticket.all).value() == tickets)
            // The codes are stored backwards, and the prices with two decimal places.
            let rows = try await repository.transaction { store in
                try store.rows(#"SELECT code, price, notes FROM "Ticket" ORDER BY id"#)
            }.value()
            #expect(rows == [[.text("cba"), .integer(1250), .text(#"["n"]"#)], [.text(""), .null, .null]])
        }
    }

    @Test("A closure that reads another type than the column holds is refused before anything is stored")
    func types() async throws {
        try await withRepository(.memory, [Swapped.self]) { repository in
            let error = await failure { try await repository.create(Swapped(id: 1, title: "x", year: 3)).value() }
            guard case .misuse(let detail)? = error else { return #expect(Bool(false), "\(error as Any)") }
            #expect(detail.contains("Swapped cannot read what it writes"))
            #expect(detail.contains("title"))
            let count = try await repository.count(Swapped.self).value()
            #expect(count == 0)
        }
    }

    @Test("If a closure refuses a row, the error names the row and contains the closure's error")
    func refused() async throws {
        try await withRepository(.memory, [Even.self]) { repository in
            try await repository.create(Even(id: 2)).value()
            try await repository.transaction { try $0.execute(#"INSERT INTO "Even" VALUES (3)"#) }.value()
            let error = await failure { try await repository.fetch(Even.all).value() }
            guard case .decoding("Even", "id", let detail, let item)? = error else {
                return #expect(Bool(false), "\(error as Any)")
            }
            #expect(detail == "3 is odd")
            #expect(item?.id == "3")
        }
    }

    private func failure<Value>(_ work: () async throws -> Value) async -> RepositoryError? {
        do {
            _ = try await work()
            return nil
        } catch {
            return error as? RepositoryError
        }
    }
}

private struct Ticket: Entity, Equatable {
    enum Seat: String, ColumnValue { case window, aisle }

    let id: Int
    var code: String
    var price: Decimal?
    var tags: [String]
    var notes: [String]?
    var seat: Seat?
    var row: Int8

    static let schema = Schema<Ticket> {
        Column("id", \.id)
        Column("code", \.code, encode: { String($0.reversed()) }, decode: { String($0.reversed()) })
        Column("price", \.price, .scale(2))
        Column("tags", json: \.tags)
        Column("notes", json: \.notes)
        Column("seat", \.seat)
        Column("row", \.row)
    } decode: { row in
        try Ticket(
            id: row.next(), code: row.next(), price: row.next(), tags: row.next(), notes: row.next(), seat: row.next(),
            row: row.next())
    }
}

/// An entity whose closure reads the year before the title.
private struct Swapped: Entity {
    let id: Int
    var title: String
    var year: Int

    static let schema = Schema<Swapped> {
        Column("id", \.id)
        Column("title", \.title)
        Column("year", \.year)
    } decode: { row in
        let (id, year, title): (Int, Int, String) = try (row.next(), row.next(), row.next())
        return Swapped(id: id, title: title, year: year)
    }
}

private struct Even: Entity {
    struct Odd: Error, CustomStringConvertible {
        let number: Int
        var description: String { "\(number) is odd" }
    }

    let id: Int

    static let schema = Schema<Even> {
        Column("id", \.id)
    } decode: { row in
        let id: Int = try row.next()
        guard id.isMultiple(of: 2) else { throw Odd(number: id) }
        return Even(id: id)
    }
}
