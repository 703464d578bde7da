import CSQLite
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Connection settings") struct ConnectionHardeningTests {
    private func setting(_ connection: Connection, _ number: Int32) -> Int32 {
        var now: Int32 = -1
        csqlite_db_config(connection.handle, number, -1, &now)
        return now
    }

    private func expectHardened(_ connection: Connection, isAdopted: Bool = false) throws {
        #expect(setting(connection, SQLITE_DBCONFIG_DEFENSIVE) == 1)
        #expect(setting(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA) == 1)
        #expect(setting(connection, SQLITE_DBCONFIG_DQS_DML) == (isAdopted ? 1 : 0))
        #expect(setting(connection, SQLITE_DBCONFIG_DQS_DDL) == 0)
        #expect(setting(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION) == 0)
        #expect(setting(connection, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER) == 0)
        #expect(setting(connection, SQLITE_DBCONFIG_ENABLE_FKEY) == 1)
        #expect(try connection.integer("PRAGMA cell_size_check") == 1)
        #expect(try connection.integer("PRAGMA foreign_keys") == 1)
        for (limit, value) in Connection.limits { #expect(sqlite3_limit(connection.handle, limit, -1) <= value) }
    }

    @Test("The writer of a file has every setting", arguments: [StoreDurability.full, .normal])
    func writer(_ durability: StoreDurability) throws {
        let folder = try TemporaryFolder()
        var options = ConnectionOptions()
        options.durability = durability
        let store = try OpenedStore(.file(folder.file()), entities: [Box<Int>.self], options: options)
        let writer = try #require(store.writer)
        try expectHardened(writer)
        #expect(try writer.rows("PRAGMA journal_mode") == [[.text("wal")]])
        #expect(try writer.integer("PRAGMA synchronous") == durability.synchronous)
        #expect(try writer.integer("PRAGMA mmap_size") == 0)
        #expect(try writer.integer("PRAGMA query_only") == 0)
        #expect(try writer.integer("PRAGMA journal_size_limit") == 64 << 20)
        #expect(try writer.integer("PRAGMA wal_autocheckpoint") == 1000)
        #expect(setting(writer, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE) == 0)
    }

    @Test("A reader cannot write, and never runs a checkpoint")
    func reader() throws {
        let folder = try TemporaryFolder()
        let store = try OpenedStore(.file(folder.file()), entities: [Box<Int>.self])
        let reader = try store.makeReader()
        try expectHardened(reader)
        #expect(try reader.integer("PRAGMA query_only") == 1)
        #expect(try reader.integer("PRAGMA wal_autocheckpoint") == 0)
        #expect(try reader.integer("PRAGMA mmap_size") == 0)
        #expect(setting(reader, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE) == 1)
        #expect(sqlite3_db_readonly(reader.handle, "main") == 1)
        let error = try thrown { () throws(RepositoryError) in try reader.execute("DELETE FROM Box") }
        guard case .readOnly = error else { return #expect(Bool(false), "\(error)") }
    }

    @Test("A connection to memory has the same settings, except those of files")
    func memory() throws {
        try expectHardened(Memory(Box<Int>.self).connection)
    }

    @Test("B10 An adopted file has the same settings, except that double quotes may hold a text")
    func adopted() throws {
        let folder = try TemporaryFolder()
        try RawDatabase(folder.file()).run("CREATE TABLE Artist (ArtistId INTEGER PRIMARY KEY, Name TEXT)")
        for access in [StoreAccess.readWrite, .readOnly] {
            let store = try OpenedStore(
                adopting: folder.file(), access: access, entities: [Artist.self], options: ConnectionOptions())
            for connection in [store.writer, try store.makeReader()].compactMap(\.self) {
                try expectHardened(connection, isAdopted: true)
            }
        }
    }

    @Test(
        "B10 A schema cannot call a function of the library or the program, and cannot load anything",
        arguments: [
            "danger('x')", "signal_repository_count('x')", "signal_repository_checked(1)", "load_extension('x')",
            "fts3_tokenizer('simple')", "readfile('/etc/passwd')",
        ])
    func hostileSchema(call: String) throws {
        let folder = try TemporaryFolder()
        // A program that defines such a function can create any schema.
        let maker = try RawDatabase(folder.file())
        try maker.run(
            """
            CREATE TABLE Artist (ArtistId INTEGER PRIMARY KEY, Name TEXT); INSERT INTO Artist VALUES (1, 'a');
            CREATE VIEW Seen AS SELECT 1 AS id, \(call) AS name;
            CREATE TRIGGER t AFTER UPDATE ON Artist BEGIN SELECT \(call); END;
            """)
        maker.close()
        let calls = Counter()
        var options = ConnectionOptions()
        options.functions = [
            SQLFunction("danger") { (text: String) in
                calls.add()
                return text
            }
        ]
        for access in [StoreAccess.readWrite, .readOnly] {
            let error = { () throws(RepositoryError) in
                try OpenedStore(adopting: folder.file(), access: access, entities: [Artist.self], options: options)
            }
            guard access == .readOnly else {
                guard case .schemaMismatch = try thrown(by: error) else { return #expect(Bool(false)) }
                continue
            }
            let reader = try error().makeReader()
            _ = try thrown { () throws(RepositoryError) in try reader.rows("SELECT name FROM Seen") }
        }
        #expect(calls.value == 0)
    }

    @Test("The switch to WAL runs with synchronous EXTRA, before anything else is written")
    func orderOfSettings() throws {
        let folder = try TemporaryFolder()
        let texts = ReceivedTexts()
        var options = ConnectionOptions()
        options.trace = { texts.append($0) }
        _ = try OpenedStore(.file(folder.file()), entities: [Box<Int>.self], options: options)
        let all = texts.all
        let extra = try #require(all.firstIndex(of: "PRAGMA synchronous = 3"))
        let wal = try #require(all.firstIndex(of: "PRAGMA journal_mode = WAL"))
        let full = try #require(all.firstIndex(of: "PRAGMA synchronous = 2"))
        let write = try #require(all.firstIndex(of: "BEGIN IMMEDIATE"))
        #expect(extra < wal && wal < full && full < write)
    }

    @Test("R12 The switch to WAL waits for another reader as long as the busy timeout, and no longer")
    func busySwitch() throws {
        let folder = try TemporaryFolder()
        // Safe because all of it runs on one thread.
        nonisolated(unsafe) let reader = try RawDatabase(folder.file())
        try reader.run("CREATE TABLE t (a); BEGIN; SELECT * FROM t")
        let attempts = Counter()
        var options = ConnectionOptions()
        options.busyTimeout = 20
        options.trace = { text in
            guard text == "PRAGMA journal_mode = WAL" else { return }
            attempts.add()
            // If the wait has no end, the reader ends its transaction, so that the test ends.
            if attempts.value == 500 { try? reader.run("COMMIT") }
        }
        let writer = try Connection(path: folder.file(), options: options.with(.writer))
        let error = try thrown { () throws(RepositoryError) in try writer.becomeWriter() }
        guard case .busy = error else { return #expect(Bool(false), "\(error)") }
        #expect(attempts.value > 1)
        try reader.run("COMMIT")
        try writer.becomeWriter()
    }

    @Test("No memory address is exposed")
    func addresses() throws {
        let connection = try Memory(Box<Int>.self).connection
        guard let rows = try? connection.rows("SELECT fts3_tokenizer('simple')") else { return }
        #expect(rows == [[.null]])
    }

    @Test("A setting that SQLite does not know is an error")
    func unknown() throws {
        let connection = try Memory(Box<Int>.self).connection
        let error = try thrown { () throws(RepositoryError) in try connection.require(pragma: "no_such_setting", 1) }
        guard case .misuse(let detail) = error else { return #expect(Bool(false), "\(error)") }
        #expect(detail.hasSuffix("does not accept no_such_setting"))
    }

    @Test(
        "Statements that a file of unknown origin could abuse are refused",
        arguments: [
            "SELECT \"no_such_column\"", "ATTACH ':memory:' AS other", "SELECT load_extension('x')",
            "PRAGMA writable_schema = 1; DELETE FROM sqlite_schema", "DELETE FROM sqlite_schema",
        ])
    func refused(_ sql: String) throws {
        let connection = try Memory(Box<Int>.self).connection
        _ = try thrown { () throws(RepositoryError) in try connection.execute(sql) }
        #expect(try connection.integer("SELECT count(*) FROM Box") == 0)
    }
}
