import Foundation
import Testing

@testable import SignalRepository

/// The SQL of each kind of query, as a person reads it: what another engine's dialect has to say too.
@Suite("SQL of each kind of query") struct DialectTests {
    /// The text, with each value in the place of its parameter.
    private func text(_ sql: SQLText) -> String {
        let parts = sql.text.split(separator: "?", omittingEmptySubsequences: false)
        guard parts.count == sql.bindings.count + 1 else { return sql.text }
        return zip(parts, sql.bindings.map(Self.literal) + [""]).map { $0 + $1 }.joined()
    }

    private static func literal(_ value: SQLValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): "'\(text)'"
        case .blob(let bytes): "x'\(String(decoding: bytes, as: UTF8.self))'"
        }
    }

    private func text<Item: Fetchable>(_ query: FetchQuery<Item>) throws -> String { text(try SQLText.select(query)) }

    private func text<Output>(_ query: SelectQuery<Output>) throws -> String { text(try query.rows.sql.get()) }

    /// What follows WHERE.
    private func condition(_ condition: Condition<Song>) throws -> String {
        String(text(try SQLText(where: condition)).dropFirst(" WHERE ".count))
    }

    /// What is selected.
    private func term<Value: ColumnValue>(_ term: (Song.QueryTerms) -> Term<Song, Value>) throws -> String {
        let text = try text(Song.all.select { song in term(song) })
        return String(text.dropFirst("SELECT ".count).prefix { _ in true }).components(separatedBy: " FROM ")[0]
    }

    @Test func items() throws {
        #expect(try text(Song.all) == "")
        #expect(try text(Song.where(\.title == "a").sorted(by: \.length, .descending).limit(2).offset(3)) == "")
        #expect(text(try SQLText.count(Song.where(\.length > 2).limit(5))) == "")
        #expect(text(.plan(of: try SQLText.select(Song.all))) == "")
    }

    @Test func joins() throws {
        #expect(try text(Song.joined(to: Band.self, on: \.band).sorted { song, _ in song.title }) == "")
        #expect(try text(Song.leftJoined(to: Band.self, on: \.band).where { _, band in band.name == nil }) == "")
        #expect(try text(Band.matching("so long")) == "")
        #expect(
            text(try SQLText.select(Song.all.limit(2), ofEach: StoredColumn("band", of: nil), in: [.integer(7)])) == "")
        let ids = StoredColumn("band", of: nil)
        #expect(text(try SQLText.pairs(ids, .operation(.count, []), of: Song.all, in: [.integer(7)])) == "")
    }

    @Test func selections() throws {
        #expect(try text(Song.all.select { ($0.title, $0.length * 2) }) == "")
        #expect(try text(Song.all.select { $0.band }.distinct()) == "")
        #expect(
            try text(
                Song.all.grouped { $0.band }.having { $0.id.count() > 1 }.sorted { $0.length.sum() }.limit(3)
                    .aggregate { ($0.id.count(distinct: true), $0.length.sum(where: $0.title == "a")) }) == "")
    }

    @Test func aggregates() throws {
        let all: [AggregateTerm] = [.rows, .count, .sum, .minimum, .maximum]
        #expect(
            text(
                try SQLText.aggregate(
                    all, of: "length", entity: Song.self, where: \.length > 1, groupedBy: "band", nil)) == "")
        for wide in [WideSum.halves, .infinities] {
            #expect(
                text(
                    try SQLText.aggregate([.sum], of: "length", entity: Song.self, where: nil, groupedBy: nil, wide))
                    == "\(wide)")
        }
        #expect(
            text(
                try SQLText.extremes(
                    of: "length", in: "Song", where: nil, group: ("band", .null), isLeast: false, limit: 3)) == "")
    }

    @Test func writes() throws {
        for kind in FixedStatement.allCases { #expect(try SQLText.fixed(kind, of: Song.self).text == "\(kind)") }
        let song = Song(id: 1, title: "a", length: 2, band: nil)
        let unique = try Song.schema.column(for: \Song.title)
        let length = try Song.schema.column(for: \Song.length)
        #expect(text(try SQLText.upsert(song, on: [unique], updating: [length])) == "")
        let rows = try SQLText(where: \Song.length > 2)
        #expect(
            text(
                try SQLText.update(
                    Song.self, set: [.set(\.title, to: "b"), .set(\.length) { $0.length + 1 }], in: rows)) == "")
        #expect(text(.delete(Song.self, in: rows)) == "")
        #expect(text(.giveIdentity("x")) == "")
    }

    @Test func conditions() throws {
        #expect(try condition(\.length == 1 || \.length != 2 && \.length < 3) == "")
        #expect(try condition(\.band == nil && \.band != 4) == "")
        #expect(try condition(!(\.length <= 3)) == "")
        #expect(try condition(.between(\.length, 1...2)) == "")
        #expect(try condition(.isIn(\.length, [1, 2])) == "")
        #expect(try condition(.isIn(\.band, [1, nil])) == "")
        #expect(try condition(.isIn(\.title, ["a", "\0"])) == "")
        #expect(try condition(.contains(\.title, "A") && .hasPrefix(\.title, "b") && .hasSuffix(\.title, "c")) == "")
        #expect(try condition(.true || .false) == "")
    }

    @Test func terms() throws {
        #expect(try term { $0.length + 1 - $0.length } == "")
        #expect(try term { $0.length / 2 % 3 } == "")
        #expect(try term { -$0.length } == "")
        #expect(try term { $0.length.magnitude } == "")
        #expect(try term { $0.band ?? 0 } == "")
        #expect(try term { $0.title + "!" } == "")
        #expect(try term { $0.title.count } == "")
        #expect(try term { $0.title.prefix(2) } == "")
        #expect(try term { $0.length.cast(as: Double.self) } == "")
        #expect(try term { $0.count(of: Band.self, by: \.founder) } == "")
    }
}

private struct Band: Entity {
    let id: Int
    var name: String
    var founder: Int?

    static let schema = Schema(
        Column("id", \Band.id), Column("name", \.name), Column("founder", \.founder, .references(Song.self)),
        search: [\.name], make: Band.init)
}

private struct Song: Entity {
    let id: Int
    var title: String
    var length: Int
    var band: Int?

    static let schema = Schema(
        Column("id", \Song.id), Column("title", \.title), Column("length", \.length),
        Column("band", \.band, .references(Band.self)), unique: [[\.title]], make: Song.init)
}
