import Foundation
import SignalRepository
import Signals
import Testing

@testable import SignalRepositoryPostgres

/// The schema after it was opened and migrated.
@Suite("R12 A schema after it was opened", .timeLimit(.minutes(10))) struct SchemaDetailsTests {
    private let place: StorePlace

    init() throws { place = try StorePlace(.postgres) }

    @Test("A table that is made again generates numbers as declared, and keeps its rows")
    func givenKeys() async throws {
        let gives = Migration("gives") { try $0.recreateTable(GivingTally.self) }
        let takes = Migration("takes") { try $0.recreateTable(Tally.self) }
        let identity = """
            SELECT attidentity::text FROM pg_attribute WHERE attrelid = to_regclass('"Tally"') AND attname = 'id'
            """
        try await place.with([Tally.self]) { repository in
            try await repository.insert([Tally(id: 1, a: 1, b: 2), Tally(id: 2, a: 3, b: 4)]).value()
        }
        #expect(try place.rows(identity) == [[.text("")]])
        for _ in 0..<2 {
            try await place.with([GivingTally.self], [gives]) { repository in
                let count = try await repository.count(GivingTally.self).value()
                let created = try await repository.create(GivingTally(id: 0, a: 5, b: 6)).value()
                #expect(created.id == count + 1)
            }
            #expect(try place.rows(identity) == [[.text("d")]])
        }
        for _ in 0..<2 {
            try await place.with([Tally.self], [gives, takes]) { repository in
                let items = try await repository.fetch(Tally.all.sorted(by: \.id)).value()
                #expect(items.map(\.id) == [1, 2, 3, 4] && items.map(\.a) == [1, 3, 5, 5])
            }
            #expect(try place.rows(identity) == [[.text("")]])
        }
    }

    @Test("A table that is made again can exchange the values of two columns") func exchanged() async throws {
        try await place.with([Tally.self]) { repository in
            try await repository.insert([Tally(id: 1, a: 1, b: 2), Tally(id: 2, a: 3, b: 4)]).value()
        }
        let step = Migration("exchanged") { store in
            let count = try store.recreateTable(Tally.self, from: ["a": "b", "b": "a"])
            #expect(count == 2)
        }
        for _ in 0..<2 {
            try await place.with([Tally.self], [step]) { repository in
                let items = try await repository.fetch(Tally.all.sorted(by: \.id)).value()
                #expect(items == [Tally(id: 1, a: 2, b: 1), Tally(id: 2, a: 4, b: 3)])
            }
        }
        let columns = """
            SELECT attname::text FROM pg_attribute WHERE attrelid = to_regclass('"Tally"') AND attnum > 0 \
            AND NOT attisdropped ORDER BY 1
            """
        #expect(try place.rows(columns) == ["a", "b", "id"].map { [.text($0)] })
    }

    @Test("A new column's value in a step becomes its default only where that is declared")
    func defaults() async throws {
        try await place.with([Early.self]) { try await $0.create(Early(id: 1)).value() }
        let step = Migration("later") { store in
            try store.addColumn(\Late.level, value: "rookie")
            try store.addColumn(\Late.mood, value: "glad")
        }
        try await place.with([Late.self], [step]) { repository in
            let items = try await repository.fetch(Late.all).value()
            #expect(items == [Late(id: 1, level: "rookie", mood: "glad")])
        }
        let defaults = """
            SELECT a.attname::text, (pg_get_expr(d.adbin, d.adrelid) LIKE '%calm%')::int::bigint FROM pg_attrdef d \
            JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum \
            WHERE d.adrelid = to_regclass('"Late"')
            """
        #expect(try place.rows(defaults) == [[.text("mood"), .integer(1)]])
    }

    @Test("If a column becomes optional, its own index is made again, and no other")
    func indexes() async throws {
        let numbers = """
            SELECT relname::text, oid::bigint FROM pg_class WHERE relnamespace = current_schema()::regnamespace \
            AND relname IN ('mine', 'index_Shelf(note)', 'index_Shelf(rank)') ORDER BY 1
            """
        try await place.with([Shelf.self]) { _ in }
        try place.run("CREATE INDEX mine ON \"Shelf\" (rank)")
        let before = try place.rows(numbers)
        try await place.with([LooseShelf.self]) { _ in }
        let after = try place.rows(numbers)
        try #require(before.count == 3 && after.count == 3)
        #expect(zip(before, after).map { $0 == $1 } == [true, false, true])
        #expect(before.map { $0[0] } == after.map { $0[0] })
    }

    @Test("The collation without a language has two names, and a table may use either")
    func collations() async throws {
        try await place.with([Box<String>.self]) { try await $0.create(Box(id: 1, value: "a")).value() }
        try place.run("ALTER TABLE \"Box\" ALTER COLUMN value TYPE text COLLATE \"POSIX\"")
        try await place.with([Box<String>.self]) { repository in
            let items = try await repository.fetch(Box<String>.all).value()
            #expect(items == [Box(id: 1, value: "a")])
        }
    }

    @Test("A relation that is not a table is refused by its kind") func faults() async throws {
        try await place.with([Film.self]) { _ in }
        let schema = try #require(place.parameters.split(separator: "=").last)
        let others = [
            ("MATERIALIZED VIEW", "AS SELECT 1::bigint AS id, 2::bigint AS value", "Box is a materialized view"),
            ("FOREIGN TABLE", "(id bigint NOT NULL, value bigint NOT NULL) SERVER \(schema)", "Box is a foreign table"),
        ]
        try place.run("CREATE FOREIGN DATA WRAPPER \(schema); CREATE SERVER \(schema) FOREIGN DATA WRAPPER \(schema)")
        for (kind, definition, words) in others {
            try place.run("CREATE \(kind) \"Box\" \(definition)")
            let found = try place.mismatch([Box<Int>.self])
            #expect(found.hasPrefix(words), "\(found)")
            try place.run("DROP \(kind) \"Box\"")
        }
        try place.run("DROP SERVER \(schema); DROP FOREIGN DATA WRAPPER \(schema)")
    }

    @Test("A table of migrations alone belongs to another program") func migrationsAlone() throws {
        try place.run(
            """
            CREATE TABLE signal_repository_migrations \
            (number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE)
            """)
        let found = try place.mismatch([Film.self])
        #expect(found.contains("the schema contains signal_repository_migrations of another program"), "\(found)")
    }

    @Test("A reader of a store with a publication may use notifications")
    func otherSource() async throws {
        try await place.with([Film.self]) { try await $0.create(Film.numbered(1)).value() }
        let reader = try place.open([Film.self], access: .readOnly, liveSource: .notifications)
        let count = try await reader.count(Film.self).value()
        #expect(count == 1)
        await closed(reader)
    }

    @Test("A reference's rule is read as it is declared, and an unknown one is kept as it is") func rules() {
        let rules = [
            "a": "NO ACTION", "r": "RESTRICT", "c": "CASCADE", "n": "SET NULL", "d": "SET DEFAULT", "x": "x",
        ]
        for (letter, rule) in rules {
            #expect(ReferenceShape(.text("t"), rule: .text(letter)) == ReferenceShape(table: "t", rule: rule))
        }
        #expect(ReferenceShape(.null, rule: .text("a")) == nil && ReferenceShape(.text("t"), rule: .null) == nil)
    }
}

private struct Tally: Entity, Equatable {
    let id: Int
    var a: Int
    var b: Int
    static let schema = Schema(Column("id", \Tally.id), Column("a", \.a), Column("b", \.b), make: Tally.init)
}

private struct GivingTally: Entity, Equatable {
    let id: Int
    var a: Int
    var b: Int
    static let entityName = "Tally"
    static let schema = Schema(
        Column("id", \GivingTally.id, .generated), Column("a", \.a), Column("b", \.b), make: GivingTally.init)
}

private struct Early: Entity {
    let id: Int
    static let entityName = "Late"
    static let schema = Schema(Column("id", \Early.id), make: Early.init)
}

private struct Late: Entity, Equatable {
    let id: Int
    var level: String
    var mood: String
    static let schema = Schema(
        Column("id", \Late.id), Column("level", \.level), Column("mood", \.mood, .default("calm")), make: Late.init)
}

private struct Shelf: Entity {
    let id: Int
    var rank: Int
    var note: String
    static let schema = Schema(
        Column("id", \Shelf.id), Column("rank", \.rank, .indexed), Column("note", \.note, .indexed), make: Shelf.init)
}

private struct LooseShelf: Entity {
    let id: Int
    var rank: Int?
    var note: String
    static let entityName = "Shelf"
    static let schema = Schema(
        Column("id", \LooseShelf.id), Column("rank", \.rank, .indexed), Column("note", \.note, .indexed),
        make: LooseShelf.init)
}
