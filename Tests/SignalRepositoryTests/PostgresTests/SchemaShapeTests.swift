import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

@Suite("The contents of a schema", .timeLimit(.minutes(10))) struct SchemaShapeTests {
    private let place: StorePlace

    init() throws { place = try StorePlace(.postgres) }

    @Test("A schema with a table of another program by the same name is refused; other tables are left alone")
    func unknownTables() async throws {
        try place.run(
            "CREATE TABLE notes (text text); CREATE TABLE \"Box\" (id bigint PRIMARY KEY, value bigint NOT NULL)")
        for access in [StoreAccess.readWrite, .readOnly] {
            #expect(
                try place.mismatch([Box<Int>.self], access: access).contains("contains Box of another program"))
        }
        #expect(try place.rows("SELECT to_regclass('signal_repository_identity')::text") == [[.null]])
        try await place.with([Film.self]) { try await $0.create(Film.numbered(1)).value() }
        #expect(try place.rows("SELECT count(*) FROM notes") == [[.integer(0)]])
        #expect(
            try place.rows("SELECT count(*) FROM pg_trigger WHERE tgrelid = to_regclass('\"Box\"')") == [[.integer(0)]])
    }

    @Test("The meaning that is noted for a column is read back, also for a computed one")
    func meanings() async throws {
        try await place.with([Doubled.self]) { _ in }
        let connection = try PostgresConnection(place.parameters)
        let shape = try SchemaShape(connection, tables: ["Doubled"], reportedBy: .replication)
        let columns = try #require(shape.table(named: "Doubled")?.shape?.columns)
        #expect(columns.map(\.meaning) == [.scaled(places: 0), .scaled(places: 2), .date, .scaled(places: 2), .date])
        #expect(columns.map(\.computation) == [nil, nil, nil, "price * 2", "\"day\""])
        connection.close()
    }

    private static let drifts: [(sql: String, detail: String)] = [
        ("CREATE VIEW \"Box\" AS SELECT 1 AS id, 2 AS value", "Box is a view"),
        (
            "CREATE UNLOGGED TABLE \"Box\" (id bigint PRIMARY KEY, value bigint NOT NULL)",
            "Box is an unlogged table"
        ),
        (
            "CREATE TABLE \"Box\" (id bigint PRIMARY KEY, value bigint NOT NULL) PARTITION BY RANGE (id)",
            "Box is a partitioned table"
        ),
        (
            "CREATE TABLE \"Box\" (id bigint PRIMARY KEY, value bigint NOT NULL); "
                + "CREATE RULE none AS ON INSERT TO \"Box\" DO INSTEAD NOTHING", "Box is a table with rules"
        ),
        (
            "CREATE TABLE \"Box\" (id bigint PRIMARY KEY, value text NOT NULL)",
            "Box.value is declared as bigint and stored as text COLLATE \"default\""
        ),
        (
            "CREATE TABLE \"Box\" (id bigint PRIMARY KEY, value integer NOT NULL)",
            "Box.value is declared as bigint and stored as integer"
        ),
        (
            "CREATE TABLE \"Box\" (id bigint PRIMARY KEY, value bigint)",
            "Box.value is declared as not optional and is optional in the schema"
        ),
        (
            "CREATE TABLE \"Box\" (id bigint NOT NULL, value bigint PRIMARY KEY)",
            "Box.id is not the key of the stored table; Box.value is the key of the stored table"
        ),
        (
            "CREATE TABLE \"Box\" (id bigint PRIMARY KEY, value bigint NOT NULL GENERATED ALWAYS AS (id + 1) STORED)",
            "Box.value is declared as bigint and stored as computed bigint (another expression)"
        ),
        (
            "CREATE TABLE \"Box\" (id bigint PRIMARY KEY, value bigint NOT NULL REFERENCES \"Film\"(number))",
            "Box.value is declared with no reference and stored with REFERENCES \"Film\" ON DELETE NO ACTION"
        ),
    ]

    @Test("A store whose tables were changed by hand is refused with the difference", arguments: drifts)
    func drifted(_ drift: (sql: String, detail: String)) async throws {
        try await place.with([Film.self]) { _ in }
        try place.run("ALTER TABLE \"Film\" ADD COLUMN number bigint UNIQUE")
        try place.run(drift.sql)
        for access in [StoreAccess.readWrite, .readOnly] {
            let found = try place.mismatch([Box<Int>.self], access: access)
            #expect(found == drift.detail || found.hasPrefix(drift.detail + ": register Migration("), "\(found)")
        }
    }

    @Test(
        "A store whose internal tables were changed by hand, or laid out by another version, is refused",
        arguments: [
            ("ALTER TABLE signal_repository_identity ADD COLUMN a bigint", "signal_repository_identity is not as"),
            ("DELETE FROM signal_repository_identity", "signal_repository_identity is not as"),
            ("CREATE VIEW signal_repository_migrations AS SELECT 1 AS number, 'x' AS name", "migrations is not as"),
            ("CREATE TABLE signal_repository_migrations (number bigint)", "migrations is not as"),
            ("UPDATE signal_repository_identity SET version = 2", "a newer version of this library (2)"),
            ("UPDATE signal_repository_identity SET version = 0", "laid out by something else (0)"),
        ])
    func ownTables(_ sql: String, _ words: String) async throws {
        try await place.with([Film.self]) { _ in }
        try place.run(sql)
        for access in [StoreAccess.readWrite, .readOnly] {
            let found = try place.mismatch([Film.self], access: access)
            #expect(found.contains(words), "\(found)")
        }
    }

    @Test(
        "A missing or different index, trigger, publication or comment of the library is made again",
        arguments: [
            "DROP INDEX \"index_Film(studio)\"",
            "ALTER TABLE \"Film\" REPLICA IDENTITY DEFAULT",
            "DO $$ BEGIN EXECUTE format('DROP PUBLICATION %I', 'signal_repository:' || current_schema()); END $$",
            "DO $$ BEGIN EXECUTE "
                + "format('ALTER PUBLICATION %I DROP TABLE %I', 'signal_repository:' || current_schema(), 'Film'); "
                + "END $$",
            "DROP INDEX \"index_Film(studio)\"; CREATE INDEX \"index_Film(studio)\" ON \"Film\" (title)",
            "DROP INDEX \"index_Film(studio)\"; CREATE UNIQUE INDEX \"index_Film(studio)\" ON \"Film\" (studio)",
            "DROP TRIGGER signal_repository_notify ON \"Film\"",
            "COMMENT ON COLUMN \"Film\".\"boxOffice\" IS NULL",
        ])
    func rebuilt(_ sql: String) async throws {
        let shape = """
            SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() AND tablename = 'Film' ORDER BY 1
            """
        let triggers = "SELECT count(*) FROM pg_trigger WHERE tgrelid = to_regclass('\"Film\"') AND NOT tgisinternal"
        let publications = """
            SELECT p.pubname, c.relreplident::text FROM pg_publication_rel r \
            JOIN pg_publication p ON p.oid = r.prpubid JOIN pg_class c ON c.oid = r.prrelid \
            WHERE r.prrelid = to_regclass('"Film"')
            """
        let comments = """
            SELECT col_description(attrelid, attnum) FROM pg_attribute \
            WHERE attrelid = to_regclass('"Film"') AND attnum > 0 ORDER BY attnum
            """
        func all() throws -> [[SQLValue]] {
            try [shape, triggers, publications, comments].flatMap { try place.rows($0) }
        }
        func open() async throws {
            for source in [LiveSource.replication, .notifications] {
                await closed(try place.open([Film.self], liveSource: source))
            }
        }
        try await open()
        let before = try all()
        #expect(before.contains([.text("/* scale 4 */")]))
        try place.run(sql)
        #expect(try all() != before)
        try await open()
        #expect(try all() == before)
        for source in [LiveSource.replication, .notifications] {
            try PostgresRepository.remove(source, from: place.parameters)
        }
        #expect(try place.rows(triggers) == [[.integer(0)]] && place.rows(publications).isEmpty)
        let identity = "SELECT relreplident::text FROM pg_class WHERE oid = to_regclass('\"Film\"')"
        #expect(try place.rows(identity) == [[.text("d")]])
        try await open()
        #expect(try all() == before)
    }

    @Test("A name that PostgreSQL would truncate, or reserves, is refused before anything is stored")
    func names() throws {
        let cases: [(any Entity.Type, String)] = [
            (Long.self, "has 64 bytes, and PostgreSQL allows 63"), (System.self, "PostgreSQL reserves that name"),
            (LongColumn.self, "has 64 bytes"), (LongIndex.self, "index_"), (LongReference.self, "LongReference("),
        ]
        for (entity, words) in cases {
            let error = try place.refusal([entity])
            #expect(error.isMisuse && "\(error)".contains(words), "\(error)")
        }
        #expect(try place.rows("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()") == [[.integer(0)]])
    }

    @Test("Names as long as PostgreSQL allows, which differ only at their ends, are kept apart")
    func longNames() async throws {
        try await place.with([Parent.self, Child.self, Grandchild.self, Searched.self, SearchedToo.self]) {
            repository async throws in
            try await repository.insert([Parent(id: 1, p: 0), Parent(id: 2, p: 0)]).value()
            try await repository.insert([Child(id: 10, p: 1), Child(id: 11, p: 1), Child(id: 1, p: 2)]).value()
            try await repository.insert([Grandchild(id: 1, p: 1), Grandchild(id: 2, p: 10)]).value()
            // Names within a subquery are made from the names of all tables around it.
            let counts = try await repository.fetch(
                Parent.all.sorted(by: \.id).select { $0.count(of: Child.self, by: \.p) }
            ).value()
            #expect(counts == [2, 1])
            let found = Parent.where { parent in
                parent.exists(Child.self, by: \.p) { child in child.exists(Grandchild.self, by: \.p) { $0.id == 1 } }
            }
            #expect(try await repository.fetch(found).value().map(\.id) == [2])
            await expectFailure({ error in
                guard case .constraint(.primaryKey, [Parent.keyName], _, let item) = error else { return false }
                return item?.id == "1"
            }) { try await repository.create(Parent(id: 1, p: 0)).value() }
            try await repository.create(Searched(id: 0, text: "a fox")).value()
            try await repository.create(SearchedToo(id: 0, text: "a hare")).value()
            #expect(try await repository.fetch(Searched.matching("fox")).value().map(\.item.id) == [1])
            #expect(try await repository.fetch(SearchedToo.matching("hare")).value().map(\.item.id) == [1])
        }
        // The schema is as declared, and nothing is made again.
        let shape = "SELECT relname, oid::bigint FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
        let before = try place.rows(shape + " ORDER BY 2")
        try await place.with([Parent.self, Child.self, Grandchild.self, Searched.self, SearchedToo.self]) { _ in }
        #expect(try place.rows(shape + " ORDER BY 2") == before)
    }

    @Test("A table that takes the name of a renamed one has its own key and its own index")
    func takenName() async throws {
        try await place.with([Article.self]) { try await $0.create(Article(id: 0, text: "old fox")).value() }
        let step = Migration("articles are notes") { store in
            try store.renameTable("Article", to: "Note")
            try store.renameColumn("id", to: "number", of: "Note")
        }
        try await place.with([Article.self, Note.self], [step]) { repository async throws in
            try await repository.create(Article(id: 0, text: "new hare")).value()
            #expect(try await repository.fetch(Note.matching("fox")).value().map(\.item.id) == [1])
            #expect(try await repository.fetch(Article.matching("hare")).value().map(\.item.id) == [1])
            for (isNote, column) in [(true, "number"), (false, "id")] {
                await expectFailure({ error in
                    if case .constraint(.primaryKey, [column], _, _) = error { true } else { false }
                }) {
                    if isNote {
                        _ = try await repository.create(Note(id: 1, text: "")).value()
                    } else {
                        _ = try await repository.create(Article(id: 1, text: "")).value()
                    }
                }
            }
        }
    }

    @Test("A step with a name that PostgreSQL would truncate is refused, and changes nothing")
    func longSteps() async throws {
        try await place.with([Article.self]) { try await $0.create(Article(id: 0, text: "fox")).value() }
        let long = String(repeating: "x", count: 64)
        let steps: [@Sendable (MigrationTransaction) throws -> Void] = [
            { try $0.renameTable("Article", to: long) }, { try $0.renameColumn("text", to: long, of: "Article") },
            { try $0.dropTable(long) }, { try $0.dropColumn("text", of: long) },
        ]
        for step in steps {
            let error = try place.refusal([Article.self], [Migration("step", step)])
            #expect("\(error)".contains("64 bytes") || "\(error)".contains("has no table"), "\(error)")
        }
        try await place.with([Article.self]) { repository async throws in
            #expect(try await repository.count(Article.self).value() == 1)
        }
    }
}

private struct Long: Entity {
    let id: Int
    static let entityName = String(repeating: "ä", count: 32)
    static let schema = Schema(Column("id", \Long.id), make: Long.init)
}

private struct System: Entity {
    let id: Int
    var place: Int
    static let schema = Schema(Column("id", \System.id), Column("ctid", \.place), make: System.init)
}

private struct LongColumn: Entity {
    let id: Int
    var text: String
    static let schema = Schema(
        Column("id", \LongColumn.id), Column(String(repeating: "x", count: 64), \.text), make: LongColumn.init)
}

private struct LongIndex: Entity {
    let id: Int
    var text: String
    static let schema = Schema(
        Column("id", \LongIndex.id), Column(String(repeating: "x", count: 60), \.text, .indexed), make: LongIndex.init)
}

private struct LongReference: Entity {
    let id: Int
    var film: UUID
    static let schema = Schema(
        Column("id", \LongReference.id), Column(String(repeating: "x", count: 60), \.film, .references(Film.self)),
        make: LongReference.init)
}

/// Entities whose names have 62 or 63 bytes, and share the first 61.
private protocol Lengthy: Entity {
    static var end: String { get }
}

extension Lengthy {
    static var entityName: String { String(repeating: "ä", count: 30) + end }
    static var keyName: String { String(repeating: "k", count: 63) }
    /// The column of a reference that is not declared, because the reference's name would be too long.
    static var columnName: String { String(repeating: "p", count: 60) }
}

private struct Parent: Lengthy {
    let id: Int
    var p: Int
    static let end = "xy"
    static let schema = Schema(Column(keyName, \Parent.id, .key), Column(columnName, \.p), make: Parent.init)
}

private struct Child: Lengthy {
    let id: Int
    var p: Int
    static let end = "xyz"
    static let schema = Schema(Column(keyName, \Child.id, .key), Column(columnName, \.p), make: Child.init)
}

private struct Grandchild: Lengthy {
    let id: Int
    var p: Int
    static let end = "xy2"
    static let schema = Schema(Column(keyName, \Grandchild.id, .key), Column(columnName, \.p), make: Grandchild.init)
}

private struct Searched: Lengthy {
    let id: Int
    var text: String
    static let end = "x3"
    static let schema = Schema(
        Column(keyName, \Searched.id, .key, .generated), Column(columnName, \.text), search: [\Searched.text],
        make: Searched.init)
}

private struct SearchedToo: Lengthy {
    let id: Int
    var text: String
    static let end = "x4"
    static let schema = Schema(
        Column(keyName, \SearchedToo.id, .key, .generated), Column(columnName, \.text), search: [\SearchedToo.text],
        make: SearchedToo.init)
}

private struct Article: Entity {
    var id: Int
    var text: String
    static let schema = Schema(
        Column("id", \Article.id, .generated), Column("text", \.text), search: [\.text], make: Article.init)
}

private struct Note: Entity {
    var id: Int
    var text: String
    static let schema = Schema(
        Column("number", \Note.id, .key, .generated), Column("text", \.text), search: [\.text], make: Note.init)
}

private struct Doubled: Entity {
    let id: Int
    var price: Decimal
    var day: Date
    var double: Decimal?
    var same: Date?
    static let schema = Schema(
        Column("id", \Doubled.id), Column("price", \.price, .scale(2)), Column("day", \.day),
        Column("double", \.double, .scale(2), computedBy: "price * 2"),
        Column("same", \.same, computedBy: "\"day\""), make: Doubled.init)
}
