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

    private func check(
        _ text: @autoclosure () throws -> String, _ expected: String, at location: SourceLocation = #_sourceLocation
    ) throws {
        let text = try text()
        #expect(text == expected, sourceLocation: location)
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
        try check(text(Song.all), "")
        try check(text(Song.where(\.title == "a").sorted(by: \.length, .descending).limit(2).offset(3)), "")
        try check(text(try SQLText.count(Song.where(\.length > 2).limit(5))), "")
        try check(text(.plan(of: try SQLText.select(Song.all))), "")
    }

    @Test func joins() throws {
        try check(text(Song.joined(to: Band.self, on: \.band).sorted { song, _ in song.title }), "")
        try check(text(Song.leftJoined(to: Band.self, on: \.band).where { _, band in band.name == nil }), "")
        try check(text(Band.matching("so long")), "")
        try check(
            text(try SQLText.select(Song.all.limit(2), ofEach: StoredColumn("band", of: nil), in: [.integer(7)])), "")
        let ids = StoredColumn("band", of: nil)
        try check(text(try SQLText.pairs(ids, .operation(.count, []), of: Song.all, in: [.integer(7)])), "")
    }

    @Test func selections() throws {
        try check(text(Song.all.select { ($0.title, $0.length * 2) }), "")
        try check(text(Song.all.select { $0.band }.distinct()), "")
        try check(
            try text(
                Song.all.grouped { $0.band }.having { $0.id.count() > 1 }.sorted { $0.length.sum() }.limit(3)
                    .aggregate { ($0.id.count(distinct: true), $0.length.sum(where: $0.title == "a")) }), "")
    }

    @Test func aggregates() throws {
        let all: [AggregateTerm] = [.rows, .count, .sum, .minimum, .maximum]
        try check(
            text(
                try SQLText.aggregate(
                    all, of: "length", entity: Song.self, where: \.length > 1, groupedBy: "band", nil)), "")
        for wide in [WideSum.halves, .infinities] {
            #expect(
                text(
                    try SQLText.aggregate([.sum], of: "length", entity: Song.self, where: nil, groupedBy: nil, wide))
                    == "\(wide)")
        }
        try check(
            text(
                try SQLText.extremes(
                    of: "length", in: "Song", where: nil, group: ("band", .null), isLeast: false, limit: 3)), "")
    }

    @Test func writes() throws {
        for kind in FixedStatement.allCases { try check(SQLText.fixed(kind, of: Song.self).text, "\(kind)") }
        let song = Song(id: 1, title: "a", length: 2, band: nil)
        let unique = try Song.schema.column(for: \Song.title)
        let length = try Song.schema.column(for: \Song.length)
        try check(text(try SQLText.upsert(song, on: [unique], updating: [length])), "")
        let rows = try SQLText(where: \Song.length > 2)
        try check(
            text(
                try SQLText.update(
                    Song.self, set: [.set(\.title, to: "b"), .set(\.length) { $0.length + 1 }], in: rows)), "")
        try check(text(.delete(Song.self, in: rows)), "")
        try check(text(.giveIdentity("x")), "")
    }

    @Test func conditions() throws {
        try check(condition(\.length == 1 || \.length != 2 && \.length < 3), "")
        try check(condition(\.band == nil && \.band != 4), "")
        try check(condition(!(\.length <= 3)), "")
        try check(condition(.between(\.length, 1...2)), "")
        try check(condition(.isIn(\.length, [1, 2])), "")
        try check(condition(.isIn(\.band, [1, nil])), "")
        try check(condition(.isIn(\.title, ["a", "\0"])), "")
        try check(condition(.contains(\.title, "A") && .hasPrefix(\.title, "b") && .hasSuffix(\.title, "c")), "")
        try check(condition(.true || .false), "")
    }

    @Test func terms() throws {
        try check(term { $0.length + 1 - $0.length }, "")
        try check(term { $0.length / 2 % 3 }, "")
        try check(term { -$0.length }, "")
        try check(term { $0.length.magnitude }, "")
        try check(term { $0.band ?? 0 }, "")
        try check(term { $0.title + "!" }, "")
        try check(term { $0.title.count }, "")
        try check(term { $0.title.prefix(2) }, "")
        try check(term { $0.length.cast(as: Double.self) }, "")
        try check(term { $0.count(of: Band.self, by: \.founder) }, "")
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
