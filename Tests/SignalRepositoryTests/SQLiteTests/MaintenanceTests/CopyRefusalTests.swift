import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Refused copies, which change nothing", .timeLimit(.minutes(10))) struct CopyRefusalTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func made(_ name: String, _ script: String) throws -> String {
        let database = try RawDatabase(folder.file(name))
        try database.run(script)
        database.close()
        return folder.file(name)
    }

    /// Expects that nothing is copied from a file, and that its folder stays as it was.
    private func expectRefusal<Item: Entity>(
        _ name: String, of type: Item.Type, access: StoreAccess = .readOnly, key: EncryptionKey? = nil,
        sourceLocation: SourceLocation = #_sourceLocation, _ isExpected: (RepositoryError) -> Bool
    ) async throws {
        let target = try SQLiteRepository(.inMemory, entities: type)
        let before = try folder.contents()
        await expectFailure(isExpected, sourceLocation: sourceLocation) {
            try await target.copy(type, from: folder.file(name), access: access, key: key).value()
        }
        #expect(try folder.contents() == before, sourceLocation: sourceLocation)
        #expect(try await target.count(type).value() == 0)
        await closed(target)
    }

    @Test("The store's own file, under any name", arguments: ["DELETE", "WAL"])
    func itself(journal: String) async throws {
        let path = try made("own", "PRAGMA journal_mode = \(journal);" + Scripts.music)
        let adopted = try SQLiteRepository(adopting: path, entities: Artist.self)
        let store = try SQLiteRepository(.file(folder.file("store")), entities: Artist.self)
        for (name, file) in [("link", path), ("other", folder.file("store"))] {
            try FileManager.default.createSymbolicLink(atPath: folder.file(name), withDestinationPath: file)
        }
        for name in [path, folder.file("link"), folder.path + "/./own"] {
            await expectFailure(\.isMisuse) { try await adopted.copy(Artist.self, from: name).value() }
        }
        for name in [folder.file("store"), folder.file("other")] {
            await expectFailure(\.isMisuse) { try await store.copy(Artist.self, from: name).value() }
        }
        // Each copies from the other, while both are open.
        #expect(try await store.copy(Artist.self, from: folder.file("link")).value() == 3)
        #expect(try await adopted.copy(Artist.self, from: folder.file("other"), existing: .kept).value() == 0)
        await closed(adopted)
        await closed(store)
    }

    @Test("A file that is missing, empty, a folder, not a database, encrypted or damaged")
    func noDatabase() async throws {
        try await expectRefusal("none", of: Film.self) { if case .cannotOpen = $0 { true } else { false } }
        try FileManager.default.createDirectory(atPath: folder.file("folder"), withIntermediateDirectories: true)
        try await expectRefusal("folder", of: Film.self) { if case .cannotOpen = $0 { true } else { false } }
        try Data().write(to: URL(fileURLWithPath: folder.file("empty")))
        try await expectRefusal("empty", of: Film.self) { if case .cannotOpen = $0 { true } else { false } }
        let random = Data((0..<8_192).map { _ in .random(in: 0...255) })
        try random.write(to: URL(fileURLWithPath: folder.file("random")))
        try await expectRefusal("random", of: Film.self) { if case .notADatabase = $0 { true } else { false } }
        // The system's SQLite cannot encrypt, and says so.
        try await expectRefusal("random", of: Film.self, key: EncryptionKey("key")) { error in
            switch error {
            case .misuse, .wrongKey: true
            default: false
            }
        }
        let source = try SQLiteRepository(.file(folder.file("damaged")), entities: Film.self)
        try await source.insert((0..<2_000).map { Film.numbered($0) }).value()
        await closed(source)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("damaged")))
        for page in 20..<30 {
            try file.seek(toOffset: UInt64(page) * 4_096)
            try file.write(contentsOf: Data(repeating: 0x55, count: 4_096))
        }
        try file.close()
        try await expectRefusal("damaged", of: Film.self) { if case .corrupt = $0 { true } else { false } }
    }

    @Test("A store or a foreign file that the entities do not fit, with the mismatch named")
    func mismatch() async throws {
        let source = try SQLiteRepository(.file(folder.file("store")), entities: Film.self, Club.self, Striker.self)
        await closed(source)
        func expect<Item: Entity>(_ name: String, _ type: Item.Type, _ words: String) async throws {
            try await expectRefusal(name, of: type) { error in
                guard case .schemaMismatch(let detail) = error else { return false }
                return detail.contains(words) && detail.contains(folder.file(name))
            }
        }
        try await expect("store", Land.self, "Land is missing")
        // A narrow model, but with another number of decimal places.
        try await expect("store", FeeInTenths.self, "declared with 1 decimal place and stored with 2")
        try await expect("store", WordyClub.self, "Club.name is declared as INTEGER and stored as TEXT")
        _ = try made("music", Scripts.music + Scripts.misfits)
        try await expect("music", Film.self, "there is no table Film")
        try await expect("music", Folded.self, "compared by NOCASE")
        _ = try made("nothing", "PRAGMA user_version = 1; PRAGMA user_version = 0")
        try await expect("nothing", Film.self, "there is no table Film")
    }

    @Test("A store whose migrations differ from the target's, in both directions")
    func migrations() async throws {
        let cents = [Migration("cents")]
        func open(_ name: String, _ migrations: [Migration]) throws -> SQLiteRepository {
            try SQLiteRepository(.file(folder.file(name)), entities: [Film.self], migrations: migrations)
        }
        for (name, migrations) in [("old", []), ("new", cents)] {
            let source = try open(name, migrations)
            try await source.create(Film.numbered(1)).value()
            await closed(source)
        }
        for (name, migrations) in [("target", []), ("migrated", cents)] {
            let target = try open(name, migrations)
            for source in ["old", "new"] {
                let copy = target.copy(Film.self, from: folder.file(source))
                guard (source == "old") == migrations.isEmpty else {
                    await expectFailure({ "\($0)".contains("the migration \"cents\" was") }) { try await copy.value() }
                    continue
                }
                #expect(try await copy.value() == 1)
            }
            await closed(target)
        }
        // An adopted file has no migrations.
        let columns = "id BLOB PRIMARY KEY, title TEXT, releaseDate REAL, boxOffice INT, studio TEXT"
        let path = try made("others", "CREATE TABLE Film (\(columns))")
        let adopted = try SQLiteRepository(adopting: path, entities: Film.self)
        #expect(try await adopted.copy(Film.self, from: folder.file("new")).value() == 1)
        await closed(adopted)
    }

    @Test("A row that is not a valid item is named, and the rows before it are not stored")
    func rows() async throws {
        _ = try made(
            "loose",
            """
            CREATE TABLE LooseItem (id INTEGER PRIMARY KEY, name TEXT, size NUMERIC);
            INSERT INTO LooseItem VALUES (1, 'a', 1), (2, 'b', 0.5), (30, x'00', 1), (40, CAST(x'ff' AS TEXT), 1);
            """)
        for id in ["30", "40"] {
            try await expectRefusal("loose", of: LooseItem.self) { error in
                error.isDecoding && error.item?.id == id && error.item?.index == 2
            }
            _ = try made("loose", "DELETE FROM LooseItem WHERE id = 30")
        }
        _ = try made("loose", "DELETE FROM LooseItem WHERE id = 40")
        let target = try SQLiteRepository(.inMemory, entities: LooseItem.self)
        #expect(try await target.copy(LooseItem.self, from: folder.file("loose"), access: .immutable).value() == 2)
        #expect(try await target.fetch(LooseItem.all).value().map(\.size) == [1, 0.5])
        await closed(target)
    }

    @Test("Invalid requests, a lock that lasts, and a trigger that ignores an item")
    func others() async throws {
        let path = try made("music", Scripts.music)
        try await expectRefusal("music", of: Artist.self, access: .readWrite, \.isMisuse)
        var configuration = RepositoryConfiguration()
        configuration.lockTimeout = .milliseconds(50)
        let target = try SQLiteRepository(
            .file(folder.file("target")), entities: [Artist.self],
            whenNew: { store in
                try store.execute(
                    """
                    CREATE TRIGGER ignored BEFORE INSERT ON Artist WHEN new.ArtistId = 2 BEGIN SELECT raise(IGNORE); END
                    """)
            }, configuration: configuration)
        await expectFailure(\.isMisuse) { try await target.copy(from: path).value() }
        await expectFailure({ error in
            guard case .constraint(.trigger, _, _, let item) = error else { return false }
            return item?.id == "2" && item?.index == 1
        }) { try await target.copy(Artist.self, from: path).value() }
        // The store has no table for this entity.
        await expectFailure({ "\($0)".contains("Track") }) { try await target.copy(Track.self, from: path).value() }
        let other = try RawDatabase(path)
        try other.run("BEGIN EXCLUSIVE")
        await expectFailure({ if case .busy = $0 { true } else { false } }) {
            try await target.copy(Artist.self, from: path).value()
        }
        try other.run("DELETE FROM Artist WHERE ArtistId = 2; COMMIT")
        #expect(try await target.copy(Artist.self, from: path).value() == 2)
        await closed(target)
        let reading = try SQLiteRepository(
            .file(folder.file("target")), entities: Artist.self,
            configuration: RepositoryConfiguration(access: .readOnly))
        await expectFailure(\.isReadOnly) { try await reading.copy(Artist.self, from: path).value() }
        await closed(reading)
        await expectFailure(\.isClosed) { try await reading.copy(Artist.self, from: path).value() }
    }

    @Test("If another file has taken the source's name by then, that file is copied")
    func replaced() async throws {
        let path = try made("music", Scripts.music)
        let target = try SQLiteRepository(.inMemory, entities: Artist.self)
        let copy = target.copy(Artist.self, from: path, existing: .kept)
        #expect(try await copy.value() == 3)
        let other = try made("other", Scripts.music + "INSERT INTO Artist VALUES (9, 'new')")
        #expect(rename(other, path) == 0)
        // Each attach copies again.
        #expect(try await copy.value() == 1)
        #expect(try await target.count(Artist.self).value() == 4)
        await closed(target)
    }
}

/// A player as another program might declare it.
private struct FeeInTenths: Entity {
    let id: Int
    var fee: Decimal

    static let entityName = "Striker"
    static let schema = Schema(
        Column("id", \FeeInTenths.id), Column("fee", \.fee, .scale(1)), make: FeeInTenths.init)
}

private struct WordyClub: Entity {
    let id: Int
    var name: Int

    static let entityName = "Club"
    static let schema = Schema(Column("id", \WordyClub.id), Column("name", \.name), make: WordyClub.init)
}
