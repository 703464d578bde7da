import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Search by the tables and triggers of FTS5; a server searches a column.
@Suite("Search indexes of a file") struct SearchShapeTests {
    struct Text: Entity, Equatable {
        var id: Int
        var title: String
        var body: String
        static let schema = Schema(
            Column("id", \Text.id), Column("title", \.title), Column("body", \.body), search: [\.title, \.body],
            make: Text.init)
    }

    /// The same table, with search in titles only.
    struct Title: Entity, Equatable {
        var id: Int
        var title: String
        var body: String
        static let entityName = "Text"
        static let schema = Schema(
            Column("id", \Title.id), Column("title", \.title), Column("body", \.body), search: [\.title],
            make: Title.init)
    }

    /// The same table, without search.
    struct Plain: Entity, Equatable {
        var id: Int
        var title: String
        var body: String
        static let entityName = "Text"
        static let schema = Schema(
            Column("id", \Plain.id), Column("title", \.title), Column("body", \.body), make: Plain.init)
    }

    /// The same table, without a column that was searched.
    struct Short: Entity, Equatable {
        var id: Int
        var title: String
        static let entityName = "Text"
        static let schema = Schema(
            Column("id", \Short.id), Column("title", \.title), search: [\.title], make: Short.init)
    }

    /// A table with the name that FTS5 would give to an internal table of an index `Text`.
    struct Config: Entity, Equatable {
        var id: Int
        var name: String
        static let entityName = "Text_config"
        static let schema = Schema(
            Column("id", \Config.id), Column("name", \.name), search: [\.name], make: Config.init)
    }

    private let rows = [
        Text(id: 1, title: "Vi\u{1ec7}t Nam", body: "fox"), Text(id: 2, title: "Vie\u{323}\u{302}t", body: "dog"),
        Text(id: 3, title: "quick", body: "fox"),
    ]

    private func open<Item: Entity>(
        _ path: String, _ type: Item.Type, migrations: [Migration] = [], dropping: [DroppedColumn] = [],
        _ body: (SQLiteRepository) async throws -> Void
    ) async throws {
        let repository = try SQLiteRepository(
            .file(path), entities: [type, Config.self], migrations: migrations, dropping: dropping)
        do {
            try await body(repository)
        } catch {
            await closed(repository)
            throw error
        }
        await closed(repository)
    }

    private func found<Item: Entity>(
        _ type: Item.Type, _ text: String, _ repository: SQLiteRepository
    ) async throws -> Int {
        try await repository.count(Item.where(.matches(text))).value()
    }

    @Test("A changed declaration migrates the index, back and forth, with a pending migration too")
    func changed() async throws {
        try await withFolder { folder in
            let path = folder + "/store.sqlite"
            try await open(path, Text.self) { repository async throws in
                try await repository.insert(rows).value()
                #expect(try await found(Text.self, "fox", repository) == 2)
                #expect(try await found(Text.self, "viet", repository) == 2)
                #expect(try await found(Text.self, "Vi\u{1ec7}t", repository) == 2)
            }
            try await open(path, Title.self) { repository async throws in
                #expect(try await found(Title.self, "fox", repository) == 0)
                #expect(try await found(Title.self, "quick", repository) == 1)
            }
            let step = Migration("titles shout") { store in try store.execute("UPDATE Text SET title = upper(title)") }
            try await open(path, Plain.self, migrations: [step]) { repository async throws in
                try await repository.create(Plain(id: 4, title: "quick", body: "")).value()
            }
            try await open(path, Text.self, migrations: [step]) { repository async throws in
                #expect(try await found(Text.self, "quick", repository) == 2)
                #expect(try await found(Text.self, "fox", repository) == 2)
            }
            try await open(
                path, Short.self, migrations: [step], dropping: [.column("body", of: Short.self)]
            ) { repository async throws in
                #expect(try await found(Short.self, "quick", repository) == 2)
                try await repository.create(Short(id: 5, title: "quick")).value()
                #expect(try await found(Short.self, "quick", repository) == 3)
            }
        }
    }

    @Test("Migrations drop a searched column and a searched table, and create it again")
    func migrated() async throws {
        try await withFolder { folder in
            let path = folder + "/store.sqlite"
            try await open(path, Text.self) { try await $0.insert(rows).value() }
            let dropped = Migration("no bodies") { store in try store.dropColumn("body", of: "Text") }
            try await open(path, Short.self, migrations: [dropped]) { repository async throws in
                #expect(try await found(Short.self, "quick", repository) == 1)
            }
            let gone = Migration("from the start") { store in try store.dropTable("Text") }
            try await open(path, Text.self, migrations: [dropped, gone]) { repository async throws in
                #expect(try await found(Text.self, "quick", repository) == 0)
                try await repository.insert(rows).value()
                #expect(try await found(Text.self, "quick", repository) == 1)
            }
        }
    }

    @Test("A custom trigger that changes the row keeps the index correct")
    func triggers() async throws {
        try await withFolder { folder in
            let path = folder + "/store.sqlite"
            let step = Migration("drafts are final") { store in
                try store.execute(
                    """
                    CREATE TRIGGER own AFTER INSERT ON Text BEGIN
                        UPDATE Text SET title = 'final' WHERE id = new.id;
                    END
                    """)
            }
            try await open(path, Text.self) { _ in }
            try await open(path, Text.self, migrations: [step]) { repository async throws in
                for id in 1...3 {
                    try await repository.create(Text(id: id, title: "draft", body: "fox")).value()
                }
                #expect(try await found(Text.self, "draft", repository) == 0)
                #expect(try await found(Text.self, "final", repository) == 3)
            }
        }
    }

    @Test("Two entities of a table with different searches, and a column name that FTS5 reserves, are refused")
    func refused() async throws {
        struct Ranked: Entity {
            var id: Int
            var rank: String
            static let schema = Schema(
                Column("id", \Ranked.id), Column("rank", \.rank), search: [\.rank], make: Ranked.init)
        }
        #expect(throws: RepositoryError.self) { try SQLiteRepository(.inMemory, entities: [Text.self, Title.self]) }
        #expect(throws: RepositoryError.self) { try SQLiteRepository(.inMemory, entities: [Ranked.self]) }
    }

    @Test("The index of a table that another program has dropped is rebuilt, or dropped")
    func leftBehind() async throws {
        try await withFolder { folder in
            let path = folder + "/store.sqlite"
            for isSearched in [true, false] {
                try await open(path, Text.self) { _ = try await $0.insert(rows).value() }
                let raw = try RawDatabase(path)
                try raw.run("DROP TABLE Text")
                raw.close()
                guard isSearched else { continue }
                try await open(path, Text.self) { repository async throws in
                    #expect(try await found(Text.self, "fox", repository) == 0)
                    try await repository.insert(rows).value()
                    #expect(try await found(Text.self, "fox", repository) == 2)
                    try await repository.delete(Text.self) { _ in .true }.value()
                }
            }
            try await open(path, Plain.self) { _ in }
            let raw = try RawDatabase(path)
            let index = "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'signal_repository_search(Text)%'"
            #expect(try raw.text(index) == "0")
            raw.close()
        }
    }

    @Test("An index that another program has emptied or bypassed is refilled when the store opens", arguments: 0..<4)
    func emptied(kind: Int) async throws {
        try await withFolder { folder in
            let path = folder + "/store.sqlite"
            try await open(path, Text.self) { _ = try await $0.insert(rows).value() }
            let raw = try RawDatabase(path)
            let index = "\"signal_repository_search(Text)\""
            switch kind {
            case 0: try raw.run("DELETE FROM \(index)")
            case 1: try raw.run("DELETE FROM \(index) WHERE rowid = 3")
            case 2: try raw.run("DELETE FROM \(index) WHERE rowid = 1")
            default:
                try raw.run("DROP TRIGGER \"signal_repository_search_insert(Text)\"")
                try raw.run("INSERT INTO Text VALUES (4, 'quick', 'fox')")
            }
            raw.close()
            await expectFailure({ if case .schemaMismatch = $0 { true } else { false } }) {
                try SQLiteRepository(
                    .file(path), entities: [Text.self, Config.self],
                    configuration: RepositoryConfiguration(access: .readOnly))
            }
            for _ in 0..<2 {
                try await open(path, Text.self) { repository async throws in
                    #expect(try await found(Text.self, "fox", repository) == (kind == 3 ? 3 : 2))
                }
            }
        }
    }

    @Test("R19 A table with a column named _ROWID_ cannot be searched", arguments: ["file", "memory"])
    func hiddenNumber(kind: String) async throws {
        await expectFailure({ error in
            if case .misuse(let detail) = error { detail.contains("_ROWID_") } else { false }
        }) {
            try await withRepository(kind == "file" ? .file : .memory, [Hidden.self]) { _ in }
        }
        for name in ["rowid", "oid"] {
            #expect(Seen.schema.names.contains(name))
        }
        try await withRepository(kind == "file" ? .file : .memory, [Seen.self]) { repository in
            _ = try await repository.insert((0..<20).map { Seen(id: $0, rowid: 19 - $0, oid: 7, title: "t\($0)") })
                .value()
            let found = try await repository.fetch(Seen.where(.matches("t3"))).value()
            #expect(found.map(\.id) == [3])
            try await repository.delete(Seen.self, id: 3).value()
            #expect(try await repository.count(Seen.where(.matches("t3"))).value() == 0)
            #expect(try await repository.count(Seen.where(.matches("t16"))).value() == 1)
        }
    }

    struct Hidden: Entity {
        var id: UUID
        var number: Int
        var title: String
        static let schema = Schema(
            Column("id", \Hidden.id), Column("_ROWID_", \.number), Column("title", \.title), search: [\.title],
            make: Hidden.init)
    }

    struct Seen: Entity {
        var id: Int
        var rowid: Int
        var oid: Int
        var title: String
        static let schema = Schema(
            Column("id", \Seen.id), Column("rowid", \.rowid), Column("oid", \.oid), Column("title", \.title),
            search: [\.title], make: Seen.init)
    }
}
