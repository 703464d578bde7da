import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Schemas of other programs may use collations, SQLite's built-in modules, and references to missing tables.
@Suite("Schemas of other programs", .timeLimit(.minutes(10))) struct AdoptedSchemaTests {
    private struct Word: Entity, Equatable {
        let id: Int
        var name: String
        static let schema = Schema(Column("id", \Word.id), Column("name", \.name), make: Word.init)
    }

    private struct Child: Entity, Equatable {
        let id: Int
        var parent: Int?
        static let schema = Schema(Column("id", \Child.id), Column("parent", \.parent), make: Child.init)
    }

    private struct Found: Entity, Equatable {
        let id: Int
        var name: String
        static let schema = Schema(Column("id", \Found.id), Column("name", \.name), make: Found.init)
    }

    private func file(_ folder: TemporaryFolder, _ script: String) throws -> String {
        let database = try RawDatabase(folder.file("others.db"))
        try database.run(script)
        database.close()
        return folder.file("others.db")
    }

    private func detail(_ body: () throws(RepositoryError) -> SQLiteRepository) throws -> String {
        let error = try thrown(by: body)
        guard case .schemaMismatch(let detail) = error else {
            Issue.record("\(error)")
            return ""
        }
        return detail
    }

    // B9

    /// Makes a table like Anki's by editing the schema, since SQLite creates no index with a missing collation.
    private func words(_ folder: TemporaryFolder) throws -> String {
        let path = try file(
            folder,
            """
            CREATE TABLE Word (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
            CREATE INDEX by_name ON Word (name); INSERT INTO Word VALUES (1, 'b'), (2, 'A'), (3, 'é');
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', 'NOT NULL COLLATE unicase') WHERE name = 'Word';
            """)
        return path
    }

    private var unicase: RepositoryConfiguration {
        var configuration = RepositoryConfiguration()
        configuration.collations = [SQLCollation("unicase") { $0.lowercased() < $1.lowercased() }]
        return configuration
    }

    @Test("B9 A collation that the schema only names can be supplied, and is used")
    func ownCollation() async throws {
        let folder = try TemporaryFolder()
        let path = try words(folder)
        let repository = try SQLiteRepository(adopting: path, entities: [Word.self], configuration: unicase)
        try await repository.transaction { try $0.execute("REINDEX") }.value()
        try await repository.create(Word(id: 4, name: "a")).value()
        let sorted = try await repository.fetch(Word.all.sorted(by: \.name)).value()
        #expect(sorted.map(\.id).prefix(2).sorted() == [2, 4] && sorted.map(\.id).suffix(2) == [1, 3])
        #expect(try await repository.count(Word.self) { $0.name == "a" }.value() == 2)
        #expect(try await repository.check().value().isSound)
        await closed(repository)
        let reading = try SQLiteRepository(
            adopting: path, entities: [Word.self], configuration: unicase.with(access: .readOnly))
        #expect(try await reading.count(Word.self) { $0.name == "B" }.value() == 1)
        await closed(reading)
    }

    @Test("B9 Without the collation, opening for writing names its uses, and so does a read that needs it")
    func lackingCollation() async throws {
        let folder = try TemporaryFolder()
        let path = try words(folder)
        let detail = try detail { () throws(RepositoryError) in
            try SQLiteRepository(adopting: path, entities: Word.self)
        }
        for part in [
            "Word", "the collation unicase", "Word.name", "the index by_name of Word", "configuration.collations",
        ] {
            #expect(detail.lowercased().contains(part.lowercased()), "\(detail)")
        }
        let reading = try SQLiteRepository(
            adopting: path, entities: Word.self, configuration: RepositoryConfiguration(access: .readOnly))
        #expect(try await reading.fetch(Word.all).value().count == 3)
        await expectFailure({ error in
            guard case .misuse(let detail) = error else { return false }
            return detail.contains("without the collation unicase, which is used by Word.name")
        }) { try await reading.fetch(Word.all.sorted(by: \.name)).value() }
        await closed(reading)
    }

    @Test("B9 A collation that already exists is not replaced", arguments: ["BINARY", "nocase", "RTRIM", "UNICASE"])
    func builtInCollation(name: String) throws {
        let folder = try TemporaryFolder()
        let path = try words(folder)
        var configuration = unicase
        configuration.collations.append(SQLCollation(name, isBefore: <))
        let error = try thrown { () throws(RepositoryError) in
            try SQLiteRepository(adopting: path, entities: [Word.self], configuration: configuration)
        }
        guard case .misuse(let detail) = error else { return #expect(Bool(false), "\(error)") }
        #expect(detail == "a collation named \(name) already exists")
    }

    // B10

    /// Triggers and views that work in every other program, by the module that they use.
    static let schemas: [(name: String, script: String)] = [
        (
            "JSON",
            """
            CREATE TABLE Found (id INTEGER PRIMARY KEY, name TEXT);
            CREATE INDEX first ON Word (json_extract(json_array(name), '$[0]'));
            CREATE TRIGGER t AFTER INSERT ON Word
                BEGIN INSERT INTO Found SELECT new.id, json_extract(json_object('n', new.name), '$.n'); END;
            """
        ),
        (
            "FTS5",
            """
            CREATE VIRTUAL TABLE words USING fts5 (name);
            CREATE TRIGGER t AFTER INSERT ON Word
                BEGIN INSERT INTO words (rowid, name) VALUES (new.id, new.name); END;
            CREATE VIEW Found AS SELECT rowid AS id, name FROM words;
            """
        ),
        (
            "FTS4",
            """
            CREATE VIRTUAL TABLE words USING fts4 (name);
            CREATE TRIGGER t AFTER INSERT ON Word
                BEGIN INSERT INTO words (docid, name) VALUES (new.id, new.name); END;
            CREATE VIEW Found AS SELECT docid AS id, name FROM words WHERE words MATCH 'a*';
            """
        ),
        (
            "FTS3",
            """
            CREATE VIRTUAL TABLE words USING fts3 (name);
            CREATE TRIGGER t AFTER INSERT ON Word
                BEGIN INSERT INTO words (docid, name) VALUES (new.id, new.name); END;
            CREATE VIEW Found AS SELECT docid AS id, name FROM words;
            """
        ),
        (
            "R-tree",
            """
            CREATE VIRTUAL TABLE spans USING rtree (id, low, high);
            CREATE TRIGGER t AFTER INSERT ON Word
                BEGIN INSERT INTO spans VALUES (new.id, length(new.name), length(new.name)); END;
            CREATE VIEW Found AS SELECT s.id AS id, name FROM spans AS s JOIN Word USING (id) WHERE low >= 1;
            """
        ),
        (
            "double quotes",
            """
            CREATE TABLE kept (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TRIGGER t AFTER INSERT ON Word WHEN new.name <> "nothing"
                BEGIN INSERT INTO kept VALUES (new.id, new.name || ""); END;
            CREATE VIEW Found AS SELECT id, name FROM kept WHERE name <> "no such column";
            """
        ),
    ]

    @Test("B10 Triggers and views may use built-in modules and texts in double quotes", arguments: schemas.map(\.name))
    func modules(name: String) async throws {
        let folder = try TemporaryFolder()
        let schema = try #require(Self.schemas.first { $0.name == name })
        let path = try file(
            folder, "CREATE TABLE Word (id INTEGER PRIMARY KEY, name TEXT NOT NULL);" + schema.script)
        let repository = try SQLiteRepository(adopting: path, entities: Word.self)
        try await repository.create(Word(id: 1, name: "a")).value()
        try await repository.insert([Word(id: 2, name: "ab")]).value()
        try await repository.update(Word(id: 1, name: "aa")).value()
        #expect(try await repository.rows("SELECT id FROM Found ORDER BY id", as: Int.self).value() == [1, 2])
        await closed(repository)
        let reading = try SQLiteRepository(
            adopting: path, entities: Found.self, configuration: RepositoryConfiguration(access: .readOnly))
        let found = reading.fetchSubscription(Found.all.sorted(by: \.id)).map { $0.map(\.id) }.record()
        #expect(await found.values(1) == [[1, 2]])
        #expect(try await reading.fetch(Found.where { $0.id == 2 }).value().map(\.name) == ["ab"])
        await closed(reading)
        // A store that attaches the file reads its views.
        var configuration = RepositoryConfiguration()
        configuration.attached = [AttachedFile(path, as: "other", entities: Found.self)]
        let store = try SQLiteRepository(.file(folder.file()), entities: [Film.self], configuration: configuration)
        #expect(try await store.count(Found.self).value() == 2)
        await closed(store)
    }

    @Test("B10 JSON functions work in the columns, checks, indexes and triggers of the library's own stores")
    func ownSchema() async throws {
        let folder = try TemporaryFolder()
        for _ in 1...2 {
            let store = try SQLiteRepository(.file(folder.file()), entities: Tagged.self)
            try await store.transaction { store in
                try store.execute(
                    """
                    CREATE TRIGGER IF NOT EXISTS kept BEFORE DELETE ON Tagged WHEN json_array_length(old.tags) > 2 \
                    BEGIN SELECT RAISE(ABORT, 'it has many tags'); END
                    """)
            }.value()
            _ = try await store.delete(Tagged.self) { _ in .true }.value()
            try await store.create(Tagged(id: 1, tags: #"["a", "b"]"#, first: nil)).value()
            #expect(try await store.read(Tagged.self, id: 1).value().first == "a")
            await expectFailure(\.isConstraint) {
                try await store.create(Tagged(id: 2, tags: "[]", first: nil)).value()
            }
            await expectFailure(\.isConstraint) {
                try await store.create(Tagged(id: 2, tags: #"["b", "b"]"#, first: nil)).value()
            }
            try await store.create(Tagged(id: 3, tags: #"["x", "y", "z"]"#, first: nil)).value()
            await expectFailure(\.isConstraint) { try await store.delete(Tagged.self, id: 3).value() }
            try await store.update(Tagged(id: 3, tags: #"["x", "y"]"#, first: nil)).value()
            #expect(try await store.check().value().isSound)
            await closed(store)
        }
    }

    @Test("B10 In raw SQL, a misspelt name in double quotes is an error in every file")
    func misspelt() async throws {
        let folder = try TemporaryFolder()
        let schema = try #require(Self.schemas.first { $0.name == "double quotes" })
        let path = try file(
            folder, "CREATE TABLE Word (id INTEGER PRIMARY KEY, name TEXT NOT NULL);" + schema.script)
        let repository = try SQLiteRepository(adopting: path, entities: Word.self)
        try await repository.create(Word(id: 1, name: "a`")).value()
        for sql in [
            "SELECT id FROM Word WHERE name <> \"nmae\"", "SELECT \"na\"\"me\" FROM Word",
            "SELECT id FROM Found WHERE \"nmae\" <> ''",
        ] as [SQL] {
            await expectFailure({ error in
                guard case .misuse(let detail) = error else { return false }
                return detail.contains("no such column")
            }) { try await repository.rows(sql, as: Int.self).value() }
        }
        await expectFailure(\.isMisuse) {
            try await repository.transaction { try $0.execute("UPDATE Word SET name = \"nmae\"") }.value()
        }
        let names = try await repository.rows(
            "SELECT \"name\" AS \"a`b\" FROM \"Word\" WHERE 'it''s \"no\" name' <> \"name\" -- \"none\"",
            as: String.self
        ).value()
        #expect(names == ["a`"])
        await closed(repository)
    }

    // B11

    @Test("B11 A reference to a table that does not exist is refused when the file opens for writing")
    func missingTarget() async throws {
        let folder = try TemporaryFolder()
        let path = try file(
            folder,
            """
            CREATE TABLE Child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES gone (id));
            INSERT INTO Child VALUES (1, 7), (2, NULL);
            """)
        let detail = try detail { () throws(RepositoryError) in
            try SQLiteRepository(adopting: path, entities: Child.self)
        }
        #expect(detail.contains("Child cannot be written: Child.parent refers to the table gone, which does not exist"))
        let reading = try SQLiteRepository(
            adopting: path, entities: Child.self, configuration: RepositoryConfiguration(access: .readOnly))
        #expect(try await reading.fetch(Child.all).value().count == 2)
        let check = try await reading.check().value()
        #expect(check.brokenReferences.map(\.description) == ["1 of Child refer to rows of gone that do not exist"])
        await closed(reading)
    }

    @Test("B11 A reference to columns that are not a key is refused too, and a check reports it")
    func mismatch() async throws {
        let folder = try TemporaryFolder()
        let path = try file(
            folder,
            """
            CREATE TABLE Word (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
            CREATE TABLE Child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES Word (name));
            CREATE TABLE Later (id INTEGER PRIMARY KEY, word INTEGER REFERENCES Word (id));
            INSERT INTO Word VALUES (1, 'a'); INSERT INTO Child VALUES (1, 'a'), (2, NULL);
            INSERT INTO Later VALUES (1, 1), (2, 9);
            """)
        for entity in [Word.self, Child.self] as [any Entity.Type] {
            let detail = try detail { () throws(RepositoryError) in
                try SQLiteRepository(adopting: path, entities: [entity])
            }
            #expect(detail.contains("Child refers to columns of Word that are neither its key nor unique"), "\(detail)")
        }
        let reading = try SQLiteRepository(
            adopting: path, entities: Child.self, configuration: RepositoryConfiguration(access: .readOnly))
        let check = try await reading.check().value()
        #expect(
            check.brokenReferences.map(\.description) == [
                "1 of Child refer to rows of Word that cannot be found: the columns are neither its key nor unique",
                "1 of Later refer to rows of Word that do not exist",
            ])
        #expect(!check.isSound)
        await closed(reading)
    }

    @Test("B11 A trigger that writes to a missing table is refused, and the message names the table")
    func missingTableOfTrigger() throws {
        let folder = try TemporaryFolder()
        let path = try file(
            folder,
            """
            CREATE TABLE Word (id INTEGER PRIMARY KEY, name TEXT NOT NULL); CREATE TABLE log (id INTEGER);
            CREATE TRIGGER t AFTER DELETE ON Word BEGIN INSERT INTO log VALUES (old.id); END; DROP TABLE log;
            """)
        let detail = try detail { () throws(RepositoryError) in
            try SQLiteRepository(adopting: path, entities: Word.self)
        }
        #expect(detail.contains("a trigger, a view or the statement uses the table log, which does not exist"))
    }

    // B22

    private struct Span: Entity, Equatable {
        let id: Int
        var low: Double
        static let schema = Schema(Column("id", \Span.id), Column("low", \.low), make: Span.init)
    }

    @Test("B22 A virtual table is refused with two alternatives, which work")
    func virtualTable() async throws {
        let folder = try TemporaryFolder()
        let path = try file(
            folder, "CREATE VIRTUAL TABLE Span USING rtree (id, low, high); INSERT INTO Span VALUES (1, 2, 3)")
        for access in [StoreAccess.readWrite, .readOnly] {
            let detail = try detail { () throws(RepositoryError) in
                try SQLiteRepository(
                    adopting: path, entities: Span.self, configuration: RepositoryConfiguration(access: access))
            }
            #expect(
                detail == "Span is a virtual table: read it with raw SQL, or declare a view of it and open the file "
                    + "with .readOnly")
        }
        try RawDatabase(path).run("CREATE VIEW Found AS SELECT id, 'x' || low AS name FROM Span")
        let reading = try SQLiteRepository(
            adopting: path, entities: Found.self, configuration: RepositoryConfiguration(access: .readOnly))
        #expect(try await reading.fetch(Found.all).value() == [Found(id: 1, name: "x2.0")])
        #expect(try await reading.rows("SELECT high FROM Span", as: Double.self).value() == [3.0])
        await closed(reading)
    }
}

private struct Tagged: Entity, Equatable {
    let id: Int
    var tags: String
    var first: String?
    static let schema = Schema(
        Column("id", \Tagged.id), Column("tags", \.tags),
        Column("first", \.first, computedBy: "json_extract(tags, '$[0]')"),
        clauses: [
            .check("it has a tag", sql: "json_array_length(tags) > 0"),
            .unique("the second tag", sql: "json_extract(tags, '$[1]')"),
        ], make: Tagged.init)
}
