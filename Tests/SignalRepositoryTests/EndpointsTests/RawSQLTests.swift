import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

/// Raw statements that are refused or allowed.
enum Statements {
    /// Statements that would end the transaction, or change the connection for good.
    static let refused: [SQL] = [
        "COMMIT", "ROLLBACK", "BEGIN", "END", "SAVEPOINT a", "RELEASE a", "ROLLBACK TO a", " commit ; ",
        "PRAGMA case_sensitive_like = 1", "PRAGMA query_only = 1", "PRAGMA locking_mode = EXCLUSIVE",
        "PRAGMA max_page_count = 1", "PRAGMA mmap_size = 268435456", "PRAGMA journal_mode = DELETE",
        "PRAGMA synchronous = 0", "PRAGMA foreign_keys = 0", "PRAGMA user_version = 9",
        "PRAGMA application_id(7)", "PRAGMA wal_checkpoint", "PRAGMA optimize", "PRAGMA incremental_vacuum",
        "PRAGMA writable_schema = 1", "PRAGMA main.cache_size = 1", "PRAGMA ignore_check_constraints = 1",
        "PRAGMA recursive_triggers = 1", "PRAGMA temp_store = 2", "PRAGMA wal_autocheckpoint = 1", "VACUUM",
        "ATTACH ':memory:' AS other", "DETACH main", "EXPLAIN COMMIT",
        "CREATE TABLE temp.Film (id)", "CREATE TABLE \"TEMP\".Other AS SELECT 1", "CREATE VIEW temp.Films AS SELECT 1",
        "CREATE TRIGGER temp.t AFTER INSERT ON main.Film BEGIN DELETE FROM main.Film; END",
        "CREATE VIRTUAL TABLE temp.Words USING fts5(word)", "CREATE TEMP TABLE Film (id)",
        "CREATE TEMP VIEW Films AS SELECT 1",
        "CREATE TEMP TRIGGER t AFTER INSERT ON main.Film BEGIN DELETE FROM main.Film; END",
    ]

    /// Statements about the tables, which change nothing.
    static let allowed: [SQL] = [
        "PRAGMA table_info(Film)", "PRAGMA table_xinfo(Film)", "PRAGMA table_list", "PRAGMA index_list(Film)",
        "PRAGMA foreign_key_list(Film)", "PRAGMA foreign_key_check", "PRAGMA integrity_check", "PRAGMA quick_check",
        "PRAGMA user_version", "PRAGMA application_id", "PRAGMA page_count", "PRAGMA page_size", "PRAGMA data_version",
        "PRAGMA freelist_count", "PRAGMA encoding", "PRAGMA schema_version", "PRAGMA compile_options",
        "SELECT name FROM pragma_table_info('Film')", "EXPLAIN SELECT * FROM Film",
        "EXPLAIN QUERY PLAN SELECT * FROM Film",
    ]
}

@Suite("Raw SQL", .timeLimit(.minutes(10))) struct RawSQLTests {
    private struct Stop: Error {}

    // PRAGMA and ATTACH exist only in SQLite; the next test has the statements of PostgreSQL.
    @Test("R16 No statement ends the transaction or changes the connection, in any way", arguments: Statements.refused)
    func refused(sql: SQL) async throws {
        for kind in StoreKind.local {
            try await withRepository(kind) { repository in
                let ways: [@Sendable (WriteTransaction) throws -> Void] = [
                    { _ = try $0.rows(sql) }, { try $0.execute(sql) }, { _ = try $0.rows(sql, as: Film.self) },
                    { try $0.transaction { _ = try $0.rows(sql) } },
                ]
                for way in ways {
                    await expectFailure(\.isMisuse) {
                        try await repository.transaction { store in
                            try store.create(Film.numbered(500, title: "Kept?"))
                            try way(store)
                        }.value()
                    }
                }
                await expectFailure(\.isMisuse) { try await repository.read { try $0.rows(sql) }.value() }
                await expectFailure(\.isMisuse) { try await repository.rows(sql, as: Film.self).value() }
                #expect(try await repository.count(Film.self).value() == 0)
                // Nothing outlives the statement: the connection has its usual settings.
                try await repository.create(Film.numbered(1, title: "Mouse")).value()
                #expect(try await repository.count(Film.self) { $0.title.contains("mOUSE") }.value() == 1)
                try await repository.delete(Film.self, id: Film.id(1)).value()
            }
        }
    }

    @Test(
        "R16 On a server, a statement that ends the transaction or changes the session is refused",
        arguments: [
            "COMMIT", "ROLLBACK", "BEGIN", "END", "SAVEPOINT a", "RELEASE a", "ROLLBACK TO a", " commit ; ", "ABORT",
            "START TRANSACTION", "PREPARE TRANSACTION 'a'", "SET search_path TO public", "RESET ALL", "DISCARD ALL",
            "LISTEN a", "UNLISTEN *", "NOTIFY a", "VACUUM", "DEALLOCATE ALL",
            "/* a /* b */ c */ COMMIT", "-- a\nCOMMIT", "SELECT set_config('search_path', 'public', false)",
        ] as [SQL])
    func refusedOnServer(sql: SQL) async throws {
        try await withRepository(.postgres) { repository async throws in
            let ways: [@Sendable (WriteTransaction) throws -> Void] = [
                { _ = try $0.rows(sql) }, { try $0.execute(sql) }, { try $0.transaction { _ = try $0.rows(sql) } },
            ]
            for way in ways {
                await expectFailure(\.isMisuse) {
                    try await repository.transaction { store in
                        try store.create(Film.numbered(500))
                        try way(store)
                    }.value()
                }
            }
            await expectFailure(\.isMisuse) { try await repository.read { try $0.rows(sql) }.value() }
            #expect(try await repository.count(Film.self).value() == 0)
        }
    }

    @Test("R16 The changes before a refused COMMIT are rolled back with the body", arguments: StoreKind.allCases)
    func undone(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            await expectFailure({ if case .rolledBack = $0 { true } else { false } }) {
                try await repository.transaction { store in
                    try store.create(Film.numbered(500))
                    _ = try? store.rows("COMMIT")
                    try store.create(Film.numbered(501))
                    throw Stop()
                }.value()
            }
            let count = try await repository.count(Film.self).value()
            #expect(count == 0)
        }
    }

    // PRAGMA exists only in SQLite.
    @Test("A statement that only describes the tables is allowed", arguments: Statements.allowed)
    func allowed(sql: SQL) async throws {
        for kind in StoreKind.local {
            try await withRepository(kind) { repository in
                _ = try await repository.read { try $0.rows(sql) }.value()
                _ = try await repository.transaction { try $0.rows(sql) }.value()
            }
        }
    }

    @Test("A migration cannot end the transaction or change a setting", arguments: Statements.refused)
    func migrations(sql: SQL) async throws {
        try await withFolder { folder in
            let path = folder + "/store.sqlite"
            await closed(try SQLiteRepository(.file(path), entities: Film.self))
            let step = Migration("step") { store in
                try store.execute("INSERT INTO Film VALUES (x'00', 'a', 0.0, 0, NULL)")
                _ = try store.rows(sql)
            }
            #expect(throws: RepositoryError.self) {
                try SQLiteRepository(.file(path), entities: Film.self, migrations: [step])
            }
            let repository = try SQLiteRepository(.file(path), entities: Film.self)
            #expect(try await repository.count(Film.self).value() == 0)
            await closed(repository)
        }
    }

    @Test("A fragment in a condition cannot bypass this", arguments: StoreKind.allCases)
    func fragments(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.create(Film.numbered(1)).value()
            let fragments: [SQL] = ["1); COMMIT; --", "1) UNION SELECT 1 --", "PRAGMA query_only = 1"]
            for fragment in fragments {
                await expectFailure(\.isMisuse) { try await repository.fetch(Film.where(.raw(fragment))).value() }
                await expectFailure(\.isMisuse) {
                    try await repository.delete(Film.self) { _ in .raw(fragment) }.value()
                }
            }
            #expect(try await repository.count(Film.self).value() == 1)
        }
    }

    @Test("A Decimal without a column is refused, and one that is bound for a column is right")
    func decimals() async throws {
        for kind in StoreKind.allCases {
            try await withRepository(kind, [Ware.self]) { repository in
                try await repository.insert([Ware(id: 1, price: 10), Ware(id: 2, price: 30)]).value()
                await expectFailure(\.isMisuse) {
                    try await repository.transaction { store in
                        try store.execute(#"UPDATE "Ware" SET price = ? WHERE id = 1"#, Decimal(40))
                    }.value()
                }
                await expectFailure(\.isMisuse) {
                    try await repository.fetch(Ware.where(.raw("price >= ?", Decimal(20)))).value()
                }
                await expectFailure(\.isMisuse) {
                    try await repository.fetch(Ware.where(.raw("price >= ?", Decimal?(20)))).value()
                }
                try await repository.transaction { store in
                    try store.execute(#"UPDATE "Ware" SET price = ? WHERE id = 1"#, Ware.bound(40, as: \.price))
                }.value()
                #expect(try await repository.read(Ware.self, id: 1).value().price == 40)
                let dear = Ware.where(.raw("price >= ?", Ware.bound(35.5, as: \.price)))
                #expect(try await repository.fetch(dear).value().map(\.id) == [1])
                let rows = try await repository.read { store in
                    try store.rows(#"SELECT id FROM "Ware" WHERE price = ?"#, Ware.bound(30, as: \.price))
                }.value()
                #expect(rows == [[.integer(2)]])
                let stored = try await repository.read { store in
                    try store.rows("SELECT ?, ?", SQLValue.integer(3), SQLValue.text("e\u{301}"))
                }.value()
                #expect(stored == [[.integer(3), .text("e\u{301}")]])
                await expectFailure(\.isEncoding) {
                    try await repository.read { try $0.rows("SELECT ?", Ware.bound(0.123, as: \.price)) }.value()
                }
            }
        }
    }

    struct Ware: Entity, Equatable {
        let id: Int
        var price: Decimal
        static let schema = Schema(
            Column("id", \Ware.id), Column("price", \.price, .scale(2)), make: Ware.init)
    }
}
