import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// The SQL of each kind of query, in readable form, for each engine.
@Suite("SQL of each kind of query") struct DialectTests {
    /// Compares a text with the expected SQL of SQLite, and of PostgreSQL where that differs.
    private func check(
        _ text: (Spelling) throws -> String, _ sqlite: String, _ postgres: String? = nil,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        for (dialect, expected) in [(SQLiteDialect() as any Dialect, sqlite), (PostgresDialect(), postgres ?? sqlite)] {
            let found = Result { try text(Spelling(dialect: dialect)) }
            switch found {
            case .success(let text): #expect(text == expected, sourceLocation: location)
            case .failure(let error as RepositoryError):
                #expect(error.isMisuse && expected == "refused", "\(error)", sourceLocation: location)
            case .failure(let error): throw error
            }
        }
    }

    @Test func items() throws {
        try check(
            { try $0.text(Song.all) }, #"SELECT "id", "title", "length", "band" FROM "Song" ORDER BY "_rowid_""#,
            #"SELECT "id", "title", "length", "band" FROM "Song" ORDER BY "id""#)
        try check(
            { try $0.text(Song.where { $0.title == "a" }.sorted(by: \.length, .descending).limit(2).offset(3)) },
            #"""
            SELECT "id", "title", "length", "band" FROM "Song" WHERE "Song"."title" = 'a' ORDER BY "length" DESC, \#
            "id" LIMIT 2 OFFSET 3
            """#)
        try check(
            { $0.text(try $0.dialect.count(Song.where { $0.length > 2 }.limit(5))) },
            #"SELECT count(*) FROM (SELECT 1 FROM "Song" WHERE "Song"."length" > 2 LIMIT 5) AS items"#)
        try check(
            { $0.text($0.dialect.plan(of: try $0.dialect.select(Song.all))) },
            #"EXPLAIN QUERY PLAN SELECT "id", "title", "length", "band" FROM "Song" ORDER BY "_rowid_""#,
            #"EXPLAIN SELECT "id", "title", "length", "band" FROM "Song" ORDER BY "id""#)
    }

    @Test func joins() throws {
        try check(
            { try $0.text(Song.joined(to: Band.self, on: \.band).sorted { song, _ in song.title }) },
            #"""
            SELECT "left"."id", "left"."title", "left"."length", "left"."band", "right"."id", "right"."name", \#
            "right"."founder" FROM "Song" AS "left" JOIN "Band" AS "right" ON ("right"."id" = "left"."band") \#
            ORDER BY "left"."title", "left"."id", "right"."id"
            """#)
        try check(
            { try $0.text(Song.leftJoined(to: Band.self, on: \.band).where { _, band in band.name == nil }) },
            #"""
            SELECT "left"."id", "left"."title", "left"."length", "left"."band", "right"."id", "right"."name", \#
            "right"."founder" FROM "Song" AS "left" LEFT JOIN "Band" AS "right" ON ("right"."id" = "left"."band") \#
            WHERE "right"."name" IS NULL ORDER BY "left"."_rowid_", "right"."_rowid_"
            """#,
            #"""
            SELECT "left"."id", "left"."title", "left"."length", "left"."band", "right"."id", "right"."name", \#
            "right"."founder" FROM "Song" AS "left" LEFT JOIN "Band" AS "right" ON ("right"."id" = \#
            "left"."band") WHERE "right"."name" IS NULL ORDER BY "left"."id", "right"."id"
            """#)
    }

    @Test func searches() throws {
        try check(
            { try $0.text(Band.matching("so long")) },
            #"""
            SELECT "Band"."id", "Band"."name", "Band"."founder", bm25("signal_repository_search(Band)"), \#
            snippet("signal_repository_search(Band)", -1, char(64976), char(64977), '…', 16) FROM "Band" JOIN \#
            "signal_repository_search(Band)" ON (("signal_repository_search(Band)"."rowid" = "Band"."_rowid_") AND \#
            ("signal_repository_search(Band)"."signal_repository_search(Band)" MATCH '"so" "long"')) ORDER BY \#
            "signal_repository_search(Band)"."rank", "Band"."id"
            """#,
            #"""
            SELECT "Band"."id", "Band"."name", "Band"."founder", "signal_repository_search(Band)"."rank", \#
            "signal_repository_search(Band)"."snippet" FROM "Band" JOIN LATERAL (SELECT \#
            CAST(-ts_rank("Band"."signal_repository_search", signal_repository_query(ARRAY[' so', ' \#
            long']::text[])) AS double precision) AS rank, signal_repository_snippet(ARRAY[' so', ' \#
            long']::text[], ARRAY["Band"."name"]) AS snippet) AS "signal_repository_search(Band)" ON \#
            "Band"."signal_repository_search" @@ signal_repository_query(ARRAY[' so', ' long']::text[]) ORDER BY \#
            "signal_repository_search(Band)"."rank" NULLS FIRST, "Band"."id"
            """#)
    }

    @Test func included() throws {
        try check(
            {
                $0.text(
                    try $0.dialect.select(
                        Song.all.limit(2), ofEach: StoredColumn("band", of: nil), in: [.integer(7), .integer(8)]))
            },
            #"""
            SELECT "id", "title", "length", "band" FROM (SELECT "id", "title", "length", "band", row_number() \#
            OVER (PARTITION BY "band" ORDER BY "_rowid_") AS signal_repository_position FROM "Song" WHERE ("band" \#
            IN (SELECT value FROM json_each('[7,8]')))) AS positions WHERE signal_repository_position > 0 AND \#
            signal_repository_position <= 2 ORDER BY signal_repository_position
            """#,
            #"""
            SELECT "id", "title", "length", "band" FROM (SELECT "id", "title", "length", "band", row_number() \#
            OVER (PARTITION BY "band" ORDER BY "id") AS signal_repository_position FROM "Song" WHERE ("band" = \#
            ANY('{7,8}'::bigint[]))) AS positions WHERE signal_repository_position > 0 AND \#
            signal_repository_position <= 2 ORDER BY signal_repository_position
            """#)
        // The items of a single value need no row numbers.
        try check(
            {
                $0.text(
                    try $0.dialect.select(Song.all.limit(2), ofEach: StoredColumn("band", of: nil), in: [.integer(7)]))
            },
            #"SELECT "id", "title", "length", "band" FROM "Song" WHERE "band" = 7 ORDER BY "_rowid_" LIMIT 2"#,
            #"SELECT "id", "title", "length", "band" FROM "Song" WHERE "band" = 7 ORDER BY "id" LIMIT 2"#)
        let ids = StoredColumn("band", of: nil)
        try check(
            { $0.text(try $0.dialect.pairs(ids, .operation(.count, []), of: Song.all, in: [.integer(7)])) },
            #"""
            SELECT "band", count() FROM "Song" WHERE ("band" = 7) GROUP BY \#
            "band"
            """#,
            #"SELECT "band", count(*) FROM "Song" WHERE ("band" = ANY('{7}'::bigint[])) GROUP BY "band""#)
    }

    @Test func selections() throws {
        try check(
            { try $0.text(Song.all.select { ($0.title, $0.length * 2) }) },
            #"""
            SELECT "Song"."title", signal_repository_checked(("Song"."length" * 2)) FROM "Song" ORDER BY "_rowid_"
            """#,
            #"SELECT "Song"."title", ("Song"."length" * 2) FROM "Song" ORDER BY "Song"."id""#)
        try check(
            { try $0.text(Song.all.select { $0.band }.distinct()) },
            #"SELECT DISTINCT "Song"."band" FROM "Song" ORDER BY "Song"."band""#,
            #"SELECT DISTINCT "Song"."band" FROM "Song" ORDER BY "Song"."band" NULLS FIRST"#)
        try check(
            {
                try $0.text(
                    Song.all.grouped { $0.band }.having { $0.id.count() > 1 }.sorted { $0.length.sum() }.limit(3)
                        .aggregate { ($0.id.count(distinct: true), $0.length.sum(where: $0.title == "a")) })
            },
            #"""
            SELECT "Song"."band", count(DISTINCT "Song"."id"), coalesce(signal_repository_sum(\#
            "Song"."length") FILTER (WHERE "Song"."title" = 'a'), 0) FROM "Song" GROUP BY "Song"."band" HAVING \#
            (count() > 1) ORDER BY coalesce(signal_repository_sum("Song"."length"), 0), "Song"."band" LIMIT 3
            """#,
            #"""
            SELECT "Song"."band", count(DISTINCT "Song"."id"), coalesce(CAST(sum("Song"."length") FILTER (WHERE \#
            "Song"."title" = 'a') AS bigint), 0) FROM "Song" GROUP BY "Song"."band" HAVING (count(*) > 1) ORDER BY \#
            coalesce(CAST(sum("Song"."length") AS bigint), 0) NULLS FIRST, "Song"."band" NULLS FIRST LIMIT 3
            """#)
    }

    @Test("A key that contains a list of values is written once, because the copies would have other parameters")
    func keysWithParameters() throws {
        try check(
            { try $0.text(Song.all.grouped { $0.band.isIn([7]) }.aggregate { $0.length.max() }) },
            #"""
            SELECT ((("Song"."band" = 7)) IS TRUE), max("Song"."length") FROM "Song" GROUP BY 1 ORDER BY 1
            """#,
            #"""
            SELECT CASE WHEN ("Song"."band" = ANY('{7}'::bigint[])) THEN 1::bigint ELSE 0::bigint END, \#
            max("Song"."length") FROM "Song" GROUP BY 1 ORDER BY 1 NULLS FIRST
            """#)
    }

    @Test("Aggregates, and the statements that keep them live: group states, and refills of minima and maxima")
    func aggregates() throws {
        let summary = AggregateFunction<Int, Summary<Int>>.summary
        let statement = try Aggregation(summary, of: \Song.length, over: Song.all, groupedBy: \Song.band).statement
        try check(
            { $0.text(try $0.dialect.select(statement)) },
            #"""
            SELECT "band", count("length"), signal_repository_exact_sum("length"), min("length"), max("length") FROM \#
            "Song" GROUP BY "band" ORDER BY "Song"."band"
            """#,
            #"""
            SELECT "band", count("length"), CAST(trim_scale(CAST(sum("length") AS numeric)) AS text), min("length"), \#
            max("length") FROM "Song" GROUP BY "band" ORDER BY "Song"."band" NULLS FIRST
            """#)
        try check(
            { try $0.text(Song.all.aggregate { $0.length.average() }) },
            #"SELECT signal_repository_average("Song"."length") FROM "Song""#,
            #"""
            SELECT (CAST(sum("Song"."length") AS double precision) / NULLIF(count("Song"."length"), 0)) FROM "Song"
            """#)
        let plan = try #require(GroupPlan(statement, StoreRules(isSQLite: true)))
        try check(
            { $0.text(try plan.sql.text(in: $0.dialect)) },
            #"""
            SELECT "band", count(), count("length"), signal_repository_exact_sum("length"), min("length"), \#
            max("length") FROM "Song" GROUP BY "band"
            """#,
            #"""
            SELECT "band", count(*), count("length"), CAST(trim_scale(CAST(sum("length") AS numeric)) AS text), \#
            min("length"), max("length") FROM "Song" GROUP BY "band"
            """#)
        try check(
            { $0.text(try $0.dialect.select(plan.extremes(of: 0, in: GroupValues([.null]), isLeast: false))) },
            #"""
            SELECT "length" FROM "Song" WHERE ("length" IS NOT NULL AND "band" IS NULL) ORDER BY "length" DESC LIMIT 32
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
            .exactUpsert: #"""
            INSERT INTO "Song" ("id", "title", "length", "band") VALUES (?, ?, ?, ?) ON CONFLICT ("id") DO \#
            UPDATE SET "title" = excluded."title", "length" = excluded."length", "band" = excluded."band"
            """#,
            .update: #"UPDATE "Song" SET "title" = ?2, "length" = ?3, "band" = ?4 WHERE "id" = ?1"#,
            .exactUpdate: #"UPDATE "Song" SET "title" = ?2, "length" = ?3, "band" = ?4 WHERE "id" = ?1"#,
            .delete: #"DELETE FROM "Song" WHERE "id" = ?"#,
        ]
        for kind in FixedStatement.allCases {
            try check({ try $0.dialect.fixed(kind, of: Song.self).text }, expected[kind] ?? "")
        }
        let song = Song(id: 1, title: "a", length: 2, band: nil)
        let unique = try Song.schema.column(for: \Song.title)
        let length = try Song.schema.column(for: \Song.length)
        try check(
            { $0.text(try $0.dialect.upsert(song, on: [unique], updating: [length])) },
            #"""
            INSERT INTO "Song" ("id", "title", "length", "band") VALUES (1, 'a', 2, NULL) ON CONFLICT ("title") DO \#
            UPDATE SET "length" = excluded."length" RETURNING "id", "title", "length", "band"
            """#)
        let rows = try SQLiteDialect().rows(where: Condition<Song> { $0.length > 2 })
        let assignments: [Assignment<Song>] = [.set(\.title, to: "b"), .set(\.length) { $0.length + 1 }]
        try check(
            { $0.text(try $0.dialect.update(Song.self, set: assignments, in: rows)) },
            #"""
            UPDATE "Song" SET "title" = 'b', "length" = signal_repository_checked(("Song"."length" + 1)) \#
            WHERE "Song"."length" > 2
            """#,
            #"UPDATE "Song" SET "title" = 'b', "length" = ("Song"."length" + 1) WHERE "Song"."length" > 2"#)
        try check(
            { $0.text(try $0.dialect.delete(Song.self, in: rows)) }, #"DELETE FROM "Song" WHERE "Song"."length" > 2"#)
        try check(
            { $0.text($0.dialect.giveIdentity("x")) },
            #"INSERT INTO signal_repository_identity (identity) VALUES ('x')"#)
    }

    @Test func conditions() throws {
        try check(
            { try $0.condition(Condition { $0.length == 1 || $0.length != 2 && $0.length < 3 }) },
            #"("Song"."length" = 1 OR ("Song"."length" <> 2 AND "Song"."length" < 3))"#)
        try check(
            { try $0.condition(Condition { $0.band == nil && $0.band != 4 }) },
            #"("Song"."band" IS NULL AND "Song"."band" IS NOT 4)"#,
            #"("Song"."band" IS NULL AND "Song"."band" IS DISTINCT FROM 4)"#)
        try check({ try $0.condition(Condition { !($0.length <= 3) }) }, #"("Song"."length" <= 3) IS NOT TRUE"#)
        try check({ try $0.condition(Condition { $0.length.between(1...2) }) }, #""Song"."length" BETWEEN 1 AND 2"#)
        try check(
            { try $0.condition(Condition { $0.length.isIn([1, 2]) }) },
            #"("Song"."length" IN (SELECT value FROM json_each('[1,2]')))"#,
            #"("Song"."length" = ANY('{1,2}'::bigint[]))"#)
        try check(
            { try $0.condition(Condition { $0.band.isIn([1, nil]) }) },
            #"("Song"."band" IS NULL OR "Song"."band" = 1)"#,
            #"("Song"."band" IS NULL OR "Song"."band" = ANY('{1}'::bigint[]))"#)
        try check({ try $0.condition(Condition { $0.length.isIn([]) }) }, "(FALSE)")
        try check(
            {
                try $0.condition(
                    Condition { $0.title.contains("A") && $0.title.hasPrefix("b") && $0.title.hasSuffix("c") })
            },
            #"""
            (signal_repository_contains("Song"."title", x'a') AND \#
            signal_repository_has_prefix("Song"."title", x'b') AND signal_repository_has_suffix("Song"."title", x'c'))
            """#,
            #"""
            (position('a' IN lower("Song"."title" COLLATE "C")) > 0 AND \#
            starts_with(lower("Song"."title" COLLATE "C"), 'b') AND \#
            right(lower("Song"."title" COLLATE "C"), char_length('c')) = 'c')
            """#)
        try check({ try $0.condition(.true || .false) }, #"(TRUE OR FALSE)"#)
    }

    @Test func generatedKeys() throws {
        try check(
            { try $0.dialect.fixed(.insert, of: Take.self).text }, #"INSERT INTO "Take" ("id", "tempo") VALUES (?, ?)"#,
            #"""
            INSERT INTO "Take" ("id", "tempo") VALUES (CASE WHEN ?::bigint IS NULL THEN \#
            nextval(pg_get_serial_sequence('"Take"', 'id')) WHEN ?1 > \#
            coalesce(pg_sequence_last_value(pg_get_serial_sequence('"Take"', 'id')), 0) THEN \#
            setval(pg_get_serial_sequence('"Take"', 'id'), ?1) ELSE ?1 END, ?) RETURNING "id" AS \#
            "signal_repository_key"
            """#)
    }

    @Test func floatingPoint() throws {
        try check(
            { try $0.text(Take.all.select { $0.tempo * 2 / $0.tempo }) },
            #"SELECT (("Take"."tempo" * 2.0) / "Take"."tempo") FROM "Take" ORDER BY "_rowid_""#,
            #"""
            SELECT NULLIF((NULLIF(("Take"."tempo" * 2.0), 'NaN') / NULLIF("Take"."tempo", 0)), 'NaN') FROM "Take" \#
            ORDER BY "Take"."id"
            """#)
        try check(
            { try $0.text(Take.all.aggregate { ($0.tempo.sum(), $0.tempo.average()) }) },
            #"SELECT signal_repository_total("Take"."tempo"), signal_repository_mean("Take"."tempo") FROM "Take""#,
            #"""
            SELECT NULLIF(coalesce(sum("Take"."tempo"), 0), 'NaN'), \#
            NULLIF(CAST(avg("Take"."tempo") AS double precision), 'NaN') FROM "Take"
            """#)
    }

    @Test func terms() throws {
        try check(
            { try $0.term { $0.length + 1 - $0.length } },
            #"""
            signal_repository_checked(("Song"."length" + 1 - "Song"."length"), 0)
            """#,
            #"(("Song"."length" + 1) - "Song"."length")"#)
        try check(
            { try $0.term { $0.length / 2 % 3 } }, #"(("Song"."length" / 2) % 3)"#)
        try check(
            { try $0.term { -$0.length } }, #"signal_repository_checked(-("Song"."length"))"#,
            #"-("Song"."length")"#)
        try check({ try $0.term { $0.length.magnitude } }, #"abs("Song"."length")"#)
        try check({ try $0.term { $0.band ?? 0 } }, #"coalesce("Song"."band", 0)"#)
        try check({ try $0.term { $0.title + "!" } }, #"("Song"."title" || '!')"#)
        try check(
            { try $0.term { $0.title.count } }, #"signal_repository_count("Song"."title")"#,
            #"refused"#)
        try check(
            { try $0.term { $0.title.prefix(2) } }, #"signal_repository_prefix("Song"."title", 2)"#,
            #"refused"#)
        try check(
            { try $0.term { $0.length.cast(as: Double.self) } }, #"CAST("Song"."length" AS REAL)"#,
            #"CAST("Song"."length" AS double precision)"#)
        try check(
            { try $0.term { $0.count(of: Band.self, by: \.founder) } },
            #"(SELECT count(*) FROM "Band" AS "Song/Band" WHERE (("Song"."id" = "Song/Band"."founder") AND TRUE))"#)
    }
}

private struct Take: Entity {
    var id = 0
    var tempo: Double

    static let schema = Schema(Column("id", \Take.id, .generated), Column("tempo", \.tempo), make: Take.init)
}

extension Spelling {
    /// The condition after WHERE.
    fileprivate func condition(_ condition: Condition<Song>) throws -> String {
        String(text(try dialect.rows(where: condition)).dropFirst(" WHERE ".count))
    }

    /// The selected term.
    fileprivate func term<Value: ColumnValue>(_ term: (Song.QueryTerms) -> Term<Song, Value>) throws -> String {
        let text = try text(Song.all.select { song in term(song) })
        return text.dropFirst("SELECT ".count).components(separatedBy: #" FROM "Song" ORDER"#)[0]
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
