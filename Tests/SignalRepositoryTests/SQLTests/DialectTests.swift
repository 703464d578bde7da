import Foundation
import Testing

@testable import SignalRepository

/// The SQL of each kind of query, as a person reads it: what another engine's dialect has to say too.
@Suite("SQL of each kind of query") struct DialectTests {
    private let dialect = SQLiteDialect()

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

    private func text<Item: Fetchable>(_ query: FetchQuery<Item>) throws -> String { text(try dialect.select(query)) }

    private func text<Output>(_ query: SelectQuery<Output>) throws -> String {
        text(try query.rows.sql.text(in: dialect))
    }

    /// What follows WHERE.
    private func condition(_ condition: Condition<Song>) throws -> String {
        String(text(try dialect.rows(where: condition)).dropFirst(" WHERE ".count))
    }

    /// What is selected.
    private func term<Value: ColumnValue>(_ term: (Song.QueryTerms) -> Term<Song, Value>) throws -> String {
        let text = try text(Song.all.select { song in term(song) })
        return text.dropFirst("SELECT ".count).components(separatedBy: #" FROM "Song" ORDER"#)[0]
    }

    @Test func items() throws {
        try check(text(Song.all), #"SELECT "id", "title", "length", "band" FROM "Song" ORDER BY "_rowid_""#)
        try check(
            text(Song.where(\.title == "a").sorted(by: \.length, .descending).limit(2).offset(3)),
            #"""
            SELECT "id", "title", "length", "band" FROM "Song" WHERE "title" = 'a' ORDER BY "length" DESC, "id" \#
            LIMIT 2 OFFSET 3
            """#)
        try check(
            text(try dialect.count(Song.where(\.length > 2).limit(5))),
            #"SELECT count(*) FROM (SELECT 1 FROM "Song" WHERE "length" > 2 LIMIT 5) AS items"#)
        try check(
            text(dialect.plan(of: try dialect.select(Song.all))),
            #"EXPLAIN QUERY PLAN SELECT "id", "title", "length", "band" FROM "Song" ORDER BY "_rowid_""#)
    }

    @Test func joins() throws {
        try check(
            text(Song.joined(to: Band.self, on: \.band).sorted { song, _ in song.title }),
            #"""
            SELECT "left"."id", "left"."title", "left"."length", "left"."band", "right"."id", "right"."name", \#
            "right"."founder" FROM "Song" AS "left" JOIN "Band" AS "right" ON ("right"."id" = "left"."band") \#
            ORDER BY "left"."title", "left"."id", "right"."id"
            """#)
        try check(
            text(Song.leftJoined(to: Band.self, on: \.band).where { _, band in band.name == nil }),
            #"""
            SELECT "left"."id", "left"."title", "left"."length", "left"."band", "right"."id", "right"."name", \#
            "right"."founder" FROM "Song" AS "left" LEFT JOIN "Band" AS "right" ON ("right"."id" = "left"."band") \#
            WHERE "right"."name" IS NULL ORDER BY "left"."_rowid_", "right"."_rowid_"
            """#)
        try check(
            text(Band.matching("so long")),
            #"""
            SELECT "Band"."id", "Band"."name", "Band"."founder", bm25("signal_repository_search(Band)"), \#
            snippet("signal_repository_search(Band)", -1, char(64976), char(64977), '…', 16) FROM "Band" JOIN \#
            "signal_repository_search(Band)" ON (("signal_repository_search(Band)"."rowid" = "Band"."_rowid_") AND \#
            ("signal_repository_search(Band)"."signal_repository_search(Band)" MATCH '"so" "long"')) ORDER BY \#
            "signal_repository_search(Band)"."rank", "Band"."id"
            """#)
        try check(
            text(try dialect.select(Song.all.limit(2), ofEach: StoredColumn("band", of: nil), in: [.integer(7)])),
            #"""
            SELECT "id", "title", "length", "band" FROM (SELECT "id", "title", "length", "band", row_number() \#
            OVER (PARTITION BY "band" ORDER BY "_rowid_") AS signal_repository_place FROM "Song" WHERE ("band" \#
            IN (SELECT value FROM json_each('[7]')))) AS places WHERE signal_repository_place > 0 AND \#
            signal_repository_place <= 2 ORDER BY signal_repository_place
            """#)
        let ids = StoredColumn("band", of: nil)
        try check(
            text(try dialect.pairs(ids, .operation(.count, []), of: Song.all, in: [.integer(7)])),
            #"""
            SELECT "band", count() FROM "Song" WHERE ("band" IN (SELECT value FROM json_each('[7]'))) GROUP BY \#
            "band"
            """#)
    }

    @Test func selections() throws {
        try check(
            text(Song.all.select { ($0.title, $0.length * 2) }),
            #"""
            SELECT "Song"."title", signal_repository_checked(("Song"."length" * 2)) FROM "Song" ORDER BY "_rowid_"
            """#)
        try check(
            text(Song.all.select { $0.band }.distinct()),
            #"SELECT DISTINCT "Song"."band" FROM "Song" ORDER BY "Song"."band""#)
        try check(
            try text(
                Song.all.grouped { $0.band }.having { $0.id.count() > 1 }.sorted { $0.length.sum() }.limit(3)
                    .aggregate { ($0.id.count(distinct: true), $0.length.sum(where: $0.title == "a")) }),
            #"""
            SELECT "Song"."band", count(DISTINCT "Song"."id"), coalesce(sum("Song"."length") FILTER \#
            (WHERE "Song"."title" = 'a'), 0) FROM "Song" GROUP BY "Song"."band" HAVING (count() > 1) \#
            ORDER BY coalesce(sum("Song"."length"), 0), "Song"."band" LIMIT 3
            """#)
    }

    @Test func aggregates() throws {
        let all: [AggregateTerm] = [.rows, .count, .sum, .minimum, .maximum]
        try check(
            text(
                try dialect.aggregate(
                    all, of: "length", entity: Song.self, where: \.length > 1, groupedBy: "band", nil)),
            #"""
            SELECT "band", count(*), count("length"), sum("length"), min("length"), max("length") FROM \#
            "Song" WHERE "length" > 1 GROUP BY "band" ORDER BY "band"
            """#)
        func sum(_ wide: WideSum) throws -> SQLText {
            try dialect.aggregate([.sum], of: "length", entity: Song.self, where: nil, groupedBy: nil, wide)
        }
        try check(text(sum(.halves)), #"SELECT sum("length" >> 32), sum("length" & 4294967295) FROM "Song""#)
        try check(
            text(sum(.infinities)),
            #"SELECT sum("length"), count(*) FILTER (WHERE "length" IN (9e999, -9e999)) FROM "Song""#)
        try check(
            text(
                try dialect.extremes(
                    of: "length", in: "Song", where: nil, group: ("band", .null), isLeast: false, limit: 3)),
            #"""
            SELECT "length" FROM "Song" WHERE "length" IS NOT NULL AND "band" IS NULL ORDER BY \#
            "length" DESC LIMIT 3
            """#)
    }

    @Test func writes() throws {
        let expected: [FixedStatement: String] = [
            .read: #"SELECT "id", "title", "length", "band" FROM "Song" WHERE "id" = ?"#,
            .insert: #"INSERT INTO "Song" ("id", "title", "length", "band") VALUES (?, ?, ?, ?)"#,
            .upsert: #"""
            INSERT INTO "Song" ("id", "title", "length", "band") VALUES (?, ?, ?, ?) ON CONFLICT ("id") DO \#
            UPDATE SET "title" = excluded."title", "length" = excluded."length", "band" = excluded."band"
            """#,
            .update: #"UPDATE "Song" SET "title" = ?2, "length" = ?3, "band" = ?4 WHERE "id" = ?1"#,
            .delete: #"DELETE FROM "Song" WHERE "id" = ?"#,
        ]
        for kind in FixedStatement.allCases { try check(dialect.fixed(kind, of: Song.self).text, expected[kind] ?? "") }
        let song = Song(id: 1, title: "a", length: 2, band: nil)
        let unique = try Song.schema.column(for: \Song.title)
        let length = try Song.schema.column(for: \Song.length)
        try check(
            text(try dialect.upsert(song, on: [unique], updating: [length])),
            #"""
            INSERT INTO "Song" ("id", "title", "length", "band") VALUES (1, 'a', 2, NULL) ON CONFLICT ("title") DO \#
            UPDATE SET "length" = excluded."length" RETURNING "id", "title", "length", "band"
            """#)
        let rows = try dialect.rows(where: \Song.length > 2)
        let update = try dialect.update(
            Song.self, set: [.set(\.title, to: "b"), .set(\.length) { $0.length + 1 }], in: rows)
        try check(
            text(update),
            #"""
            UPDATE "Song" SET "title" = 'b', "length" = signal_repository_checked(("Song"."length" + 1)) \#
            WHERE "length" > 2
            """#)
        try check(text(dialect.delete(Song.self, in: rows)), #"DELETE FROM "Song" WHERE "length" > 2"#)
        try check(text(dialect.giveIdentity("x")), #"INSERT INTO signal_repository_identity (identity) VALUES ('x')"#)
    }

    @Test func conditions() throws {
        try check(
            condition(\.length == 1 || \.length != 2 && \.length < 3),
            #"("length" = 1 OR ("length" <> 2 AND "length" < 3))"#)
        try check(condition(\.band == nil && \.band != 4), #"("band" IS NULL AND "band" IS NOT 4)"#)
        try check(condition(!(\.length <= 3)), #"("length" <= 3) IS NOT TRUE"#)
        try check(condition(.between(\.length, 1...2)), #""length" BETWEEN 1 AND 2"#)
        try check(condition(.isIn(\.length, [1, 2])), #"("length" IN (SELECT value FROM json_each('[1,2]')))"#)
        try check(
            condition(.isIn(\.band, [1, nil])), #"("band" IS NULL OR "band" IN (SELECT value FROM json_each('[1]')))"#)
        try check(condition(.isIn(\.length, [])), "(FALSE)")
        try check(
            condition(.contains(\.title, "A") && .hasPrefix(\.title, "b") && .hasSuffix(\.title, "c")),
            #"""
            (signal_repository_contains("title", x'a') AND signal_repository_has_prefix("title", x'b') AND \#
            signal_repository_has_suffix("title", x'c'))
            """#)
        try check(condition(.true || .false), #"(TRUE OR FALSE)"#)
    }

    @Test func terms() throws {
        try check(
            term { $0.length + 1 - $0.length },
            #"""
            signal_repository_checked((signal_repository_checked(("Song"."length" + 1)) - "Song"."length"))
            """#)
        try check(term { $0.length / 2 % 3 }, #"(("Song"."length" / 2) % 3)"#)
        try check(term { -$0.length }, #"signal_repository_checked(-("Song"."length"))"#)
        try check(term { $0.length.magnitude }, #"abs("Song"."length")"#)
        try check(term { $0.band ?? 0 }, #"coalesce("Song"."band", 0)"#)
        try check(term { $0.title + "!" }, #"("Song"."title" || '!')"#)
        try check(term { $0.title.count }, #"signal_repository_count("Song"."title")"#)
        try check(term { $0.title.prefix(2) }, #"signal_repository_prefix("Song"."title", 2)"#)
        try check(term { $0.length.cast(as: Double.self) }, #"CAST("Song"."length" AS REAL)"#)
        try check(
            term { $0.count(of: Band.self, by: \.founder) },
            #"(SELECT count(*) FROM "Band" AS "Song/Band" WHERE (("Song"."id" = "Song/Band"."founder") AND TRUE))"#)
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
