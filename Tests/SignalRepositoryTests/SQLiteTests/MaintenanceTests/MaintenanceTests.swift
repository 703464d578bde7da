import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Maintenance", .timeLimit(.minutes(10))) struct MaintenanceTests {
    @Test("Vacuum frees the space of deleted rows, and changes nothing else", arguments: StoreKind.local)
    func vacuum(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let repository = try #require(repository as? SQLiteRepository)
            try await repository.insert((0..<5_000).map { Film.numbered($0) }).value()
            try await repository.delete(Film.self) { $0.boxOffice >= 100 }.value()
            let before = try await repository.size().value()
            #expect(before.free > 0)
            try await repository.vacuum().value()
            let after = try await repository.size().value()
            #expect(after.free == 0 && after.file < before.file)
            #expect(try await repository.count(Film.self).value() == 100)
            // Once more, with nothing to free.
            try await repository.vacuum().value()
            #expect(try await repository.size().value().file == after.file)
            await expectFailure(\.isMisuse) { try await repository.transaction { try $0.execute("VACUUM") }.value() }
            await expectFailure(\.isMisuse) {
                try await repository.transaction { try $0.execute("ATTACH 'x' AS x") }.value()
            }
        }
    }

    @Test("R4 Live values are right after vacuum() has renumbered the rows", arguments: StoreKind.local)
    func live(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let repository = try #require(repository as? SQLiteRepository)
            try await repository.insert((0..<300).map { Film.numbered($0) }).value()
            let query = Film.where { $0.boxOffice > 50 }.sorted(by: \.title).limit(20)
            let lists = repository.fetchSubscription(query).record()
            let sums = repository.sumSubscription(of: \Film.boxOffice).record()
            let changes = repository.changes().record()
            _ = await (lists.values(1), sums.values(1))
            for round in 0..<4 {
                // Rows without an integer key get other rowids.
                try await repository.delete(Film.self) { $0.boxOffice < Decimal(40 * round) }.value()
                try await repository.vacuum().value()
                let film = Film.numbered(160 + round, title: "\(round)", boxOffice: 1_000_000)
                try await repository.update(film).value()
                try await repository.delete(Film.self, id: Film.id(170 + round)).value()
                let list = try await repository.fetch(query).value()
                let sum = try await repository.sum(of: \Film.boxOffice).value()
                #expect(await lists.values(until: { $0 == list }).contains(list))
                #expect(await sums.values(until: { $0 == sum }).contains(sum))
            }
            #expect(changes.values.contains { if case .unknown = $0.extent { true } else { false } })
        }
    }

    @Test("Statistics are gathered, and queries keep working")
    func optimize() async throws {
        let folder = try TemporaryFolder()
        let repository = try SQLiteRepository(.file(folder.file()), entities: Film.self)
        try await repository.insert((0..<2_000).map { Film.numbered($0, studio: "\($0 % 7)") }).value()
        // SQLite gathers statistics for the queries that have run.
        #expect(try await repository.fetch(Film.where { $0.studio == "3" }).value().count == 286)
        try await repository.optimize().value()
        try await repository.optimize().value()
        #expect(try await repository.fetch(Film.where { $0.studio == "3" }).value().count == 286)
        await closed(repository)
        let reading = try SQLiteRepository(
            .file(folder.file()), entities: Film.self, configuration: RepositoryConfiguration(access: .readOnly))
        await expectFailure(\.isReadOnly) { try await reading.optimize().value() }
        await expectFailure(\.isReadOnly) { try await reading.vacuum().value() }
        #expect(try await reading.check().value().isSound)
        #expect(try await reading.size().value().file > 0)
        await closed(reading)
        await expectFailure(\.isClosed) { try await repository.vacuum().value() }
        await expectFailure(\.isClosed) { try await repository.check().value() }
    }

    @Test("A check finds broken references, and texts that are not in the index")
    func check() async throws {
        let folder = try TemporaryFolder()
        let entities: [any Entity.Type] = [Shelf.self, Book.self]
        var repository = try SQLiteRepository(.file(folder.file()), entities: entities)
        try await repository.insert((1...3).map { Shelf(id: $0) }).value()
        try await repository.insert((1...9).map { Book(id: "\($0)", title: "Book \($0)", shelf: $0 % 3 + 1) }).value()
        let sound = try await repository.check().value()
        #expect(sound.isSound && sound.description == "sound")
        await closed(repository)
        let other = try RawDatabase(folder.file())
        try other.run("DELETE FROM Shelf WHERE id = 2")
        try other.run("UPDATE \"signal_repository_search(Book)\" SET title = 'x' WHERE rowid = 5")
        other.close()
        repository = try SQLiteRepository(.file(folder.file()), entities: entities)
        let check = try await repository.check().value()
        #expect(check.damage.isEmpty)
        #expect(check.brokenReferences.map(\.description) == ["3 of Book refer to rows of Shelf that do not exist"])
        #expect(check.staleSearchIndexes == ["Book"])
        #expect(
            check.description == "3 of Book refer to rows of Shelf that do not exist; "
                + "the full-text index of Book does not match its texts")
        await closed(repository)
    }

    @Test("A check finds wrong words in a full-text index, even if its texts are right")
    func words() async throws {
        let folder = try TemporaryFolder()
        let entities: [any Entity.Type] = [Shelf.self, Book.self]
        var repository = try SQLiteRepository(.file(folder.file()), entities: entities)
        try await repository.create(Shelf(id: 1)).value()
        try await repository.insert((1...9).map { Book(id: "\($0)", title: "Book \($0)", shelf: 1) }).value()
        await closed(repository)
        let other = try RawDatabase(folder.file())
        // The text changes, but its old words stay in the index.
        try other.run("UPDATE \"signal_repository_search(Book)_content\" SET c0 = 'Boot 5' WHERE id = 5")
        try other.run("UPDATE Book SET title = 'Boot 5' WHERE id = '5'")
        try other.run("UPDATE \"signal_repository_search(Book)_content\" SET c0 = 'Boot 5' WHERE id = 5")
        other.close()
        repository = try SQLiteRepository(.file(folder.file()), entities: entities)
        let check = try await repository.check().value()
        #expect(check.damage.isEmpty && check.staleSearchIndexes == ["Book"])
        #expect(try await repository.count(Book.self).value() == 9)
        await closed(repository)
    }

    @Test("A check finds an overwritten page")
    func damage() async throws {
        let folder = try TemporaryFolder()
        var repository = try SQLiteRepository(.file(folder.file()), entities: Film.self)
        try await repository.insert((0..<500).map { Film.numbered($0, studio: "A24") }).value()
        await closed(repository)
        let root = try #require(
            try RawDatabase(folder.file()).text("SELECT rootpage FROM sqlite_schema WHERE name LIKE 'index_Film%'"))
        let handle = try #require(FileHandle(forUpdatingAtPath: folder.file()))
        try handle.seek(toOffset: UInt64((try #require(Int(root)) - 1) * 4096))
        try handle.write(contentsOf: Data(repeating: 255, count: 4_096))
        try handle.close()
        repository = try SQLiteRepository(.file(folder.file()), entities: Film.self)
        let check = try await repository.check().value()
        #expect(!check.isSound && !check.damage.isEmpty)
        await closed(repository)
    }
}

private struct Shelf: Entity, Equatable {
    let id: Int

    static let schema = Schema(Column("id", \Shelf.id), make: Shelf.init)
}

private struct Book: Entity, Equatable {
    let id: String
    var title: String
    var shelf: Int

    static let schema = Schema(
        Column("id", \Book.id), Column("title", \.title), Column("shelf", \.shelf, .references(Shelf.self)),
        search: [\.title], make: Book.init)
}
