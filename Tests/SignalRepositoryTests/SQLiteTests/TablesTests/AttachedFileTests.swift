import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

@Suite("Attached files", .timeLimit(.minutes(10))) struct AttachedFileTests {
    private let folder: TemporaryFolder
    private let league = League(seed: 7)

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Opens a store of clubs, with an attached store of the whole league.
    private func opened(
        access: StoreAccess = .readWrite, interval: Duration = .milliseconds(5)
    ) async throws -> SQLiteRepository {
        if !FileManager.default.fileExists(atPath: folder.file("players")) {
            let players = try SQLiteRepository(.file(folder.file("players")), entities: League.entities)
            try await league.store(in: players)
            await closed(players)
            let clubs = try SQLiteRepository(.file(folder.file("clubs")), entities: Club.self, Trainer.self)
            try await clubs.insert(league.coaches).value()
            try await clubs.insert(league.teams).value()
            await closed(clubs)
        }
        var configuration = RepositoryConfiguration()
        configuration.watchInterval = interval
        configuration.attached = [AttachedFile(folder.file("players"), as: "the \"players\"", entities: Striker.self)]
        return try SQLiteRepository(
            .file(folder.file("clubs")), entities: [Club.self, Trainer.self],
            configuration: configuration.with(access: access))
    }

    private func music(_ journal: String = "WAL") throws -> String {
        let database = try RawDatabase(folder.file("music"))
        try database.run("PRAGMA journal_mode = \(journal);" + Scripts.music)
        database.close()
        return folder.file("music")
    }

    @Test(
        "Its entities are read alone and together with the store's, and no file is left behind",
        arguments: [
            StoreAccess.readWrite, .readOnly,
        ])
    func read(access: StoreAccess) async throws {
        await closed(try await opened())
        let before = try folder.contents()
        let repository = try await opened(access: access)
        let players = league.players
        #expect(try await repository.fetch(Striker.all).value() == players)
        #expect(try await repository.find(Striker.self, id: 3).value() == players[3])
        #expect(try await repository.stream(Striker.all).collect().value() == players)
        #expect(try await repository.fetch(Striker.all.page(size: 5)).value().items == Array(players[..<5]))
        #expect(try await repository.sum(of: \Striker.goals).value() == players.map(\.goals).reduce(0, +))
        #expect(
            try await repository.explain(Striker.where { $0.id == 1 }).value().steps.first?.contains("SEARCH") == true)
        let joined = Striker.joined(to: Club.self) { $0.teamID == $1.id }
        let pairs = try await repository.fetch(joined).value()
        #expect(pairs.map(\.left) == players.filter { league.team($0.teamID) != nil })
        #expect(pairs.allSatisfy { $0.right == league.team($0.left.teamID) })
        let teams = try await repository.fetch(Club.all.including(many: Striker.all, by: \.teamID)).value()
        #expect(
            teams.map { $0.included.count }
                == league.teams.map { team in
                    players.count { $0.teamID == team.id }
                })
        // The store has a table of the same name; without the name of the file, SQL means that one.
        let counts = try await repository.rows(
            "SELECT count(*), (SELECT count(*) FROM \"the \"\"players\"\"\".Club) FROM Club WHERE id < 3",
            as: (Int, Int).self
        ).value()
        #expect(counts.count == 1 && counts[0] == (2, 6))
        #expect(try await repository.check().value().isSound)
        try await repository.suspend().value()
        try await repository.resume().value()
        #expect(try await repository.count(Striker.self).value() == players.count)
        await closed(repository)
        #expect(try folder.contents() == before)
    }

    @Test("Live values follow the file, the store's own are updated in place, and change signals report only these")
    func live() async throws {
        let repository = try await opened()
        let goals = league.players.map(\.goals).reduce(0, +)
        let sums = repository.sumSubscription(of: \Striker.goals).record()
        let joined = Striker.joined(to: Club.self) { $0.teamID == $1.id }
        let pairs = repository.countSubscription(joined).record()
        let rows = repository.rowsSubscription(
            "SELECT * FROM \"the \"\"players\"\"\".Club WHERE id = 1", as: Club.self
        ).record()
        let clubs = repository.countSubscription(Club.self).record()
        let changes = repository.changes().record()
        _ = await (sums.values(1), pairs.values(1), rows.values(1), clubs.values(1))
        let count = try #require(pairs.values.first)
        let before = repository.statistics
        try await repository.create(Club(id: 50, name: "new", city: nil, coachID: nil)).value()
        #expect(await clubs.last(where: { $0 == 7 }) == 7)
        #expect(repository.statistics.updatedInPlace > before.updatedInPlace)
        // The owner of the attached file writes.
        let players = try SQLiteRepository(.file(folder.file("players")), entities: League.entities)
        try await players.transaction { store in
            try store.create(
                Striker(id: 900, name: "x", rating: 1, goals: 1_000, fee: 0, teamID: league.teams[0].id))
            try store.update(Club.self, id: 1, set: [.set(\.name, to: "renamed")])
        }.value()
        #expect(await sums.last(where: { $0 == goals + 1_000 }) == goals + 1_000)
        #expect(await pairs.last(where: { $0 == count + 1 }) == count + 1)
        #expect(await rows.last(where: { $0.first?.name == "renamed" })?.first?.name == "renamed")
        try await repository.create(Club(id: 51, name: "newer", city: nil, coachID: nil)).value()
        #expect(await changes.values(2).map(\.extent) == [.rows, .rows])
        #expect(await clubs.last(where: { $0 == 8 }) == 8)
        await closed(players)
        await closed(repository)
        for breaches in [sums.breaches, pairs.breaches, clubs.breaches, rows.breaches] { #expect(breaches.isEmpty) }
    }

    @Test("Another program's file is read and followed, whatever its journal mode", arguments: ["DELETE", "WAL"])
    func adopted(journal: String) async throws {
        let path = try music(journal)
        let before = try folder.contents()["music"]
        var configuration = RepositoryConfiguration()
        configuration.watchInterval = .milliseconds(5)
        configuration.attached = [AttachedFile(path, as: "music", entities: Artist.self, Track.self)]
        let database = try RawDatabase(folder.file("shop"))
        try database.run(Scripts.shop)
        database.close()
        let shop = try SQLiteRepository(
            adopting: folder.file("shop"), entities: [Customer.self], configuration: configuration)
        #expect(try await shop.fetch(Track.where { $0.artist == 1 }).value().map(\.title) == ["For Those"])
        let names = shop.fetchSubscription(Artist.all).map { $0.map(\.name) }.record()
        #expect(await names.values(1) == [["AC/DC", nil, "Accept"]])
        #expect(FileManager.default.contents(atPath: path) == before)
        let other = try RawDatabase(path)
        #expect(try await shop.create(Customer(id: "x", company: "y", city: nil)).value().id == "x")
        try other.run("PRAGMA busy_timeout = 5000; INSERT INTO Artist VALUES (4, 'new')")
        #expect(await names.last(where: { $0.count == 4 })?.last == "new")
        other.close()
        await closed(shop)
        // A commit that another program left in a log is there for the next connection.
        let last = try RawDatabase(path)
        #expect(try last.rows("SELECT count(*) FROM Artist") == ["4"])
        last.close()
        #expect(try !folder.contents().keys.contains { $0.hasPrefix("music-") })
    }

    @Test("A table without rowids, and a view, are read in the order of their keys")
    func keys() async throws {
        let database = try RawDatabase(folder.file("shop"))
        try database.run(Scripts.shop)
        database.close()
        var configuration = RepositoryConfiguration()
        configuration.attached = [AttachedFile(folder.file("shop"), as: "shop", entities: Customer.self, Total.self)]
        let repository = try SQLiteRepository(
            .file(folder.file("films")), entities: [Film.self], configuration: configuration)
        let totals = [Total(id: "ALFKI", total: 14), Total(id: "AROUT", total: 9.8)]
        #expect(try await repository.fetch(Total.all).value() == totals)
        #expect(try await repository.fetch(Customer.all).value().map(\.id) == ["ALFKI", "AROUT"])
        let page = try await repository.fetch(Total.all.page(size: 1)).value()
        #expect(try await repository.fetch(Total.all.page(after: page.next, size: 1)).value().items == [totals[1]])
        let both = Total.joined(to: Customer.self) { $0.id == $1.id }
        #expect(try await repository.fetch(both).value().map(\.right.city) == ["Berlin", "London"])
        await closed(repository)
    }

    @Test("An immutable file is read without any file beside it, and no longer read once it has moved")
    func places() async throws {
        let path = try music()
        var configuration = RepositoryConfiguration()
        configuration.attached = [AttachedFile(path, as: "music", entities: Artist.self, access: .immutable)]
        let first = try SQLiteRepository(
            .file(folder.file("films?#%")), entities: Film.self, configuration: configuration)
        #expect(try await first.count(Artist.self).value() == 3)
        #expect(try !folder.contents().keys.contains { $0.hasPrefix("music-") })
        #expect(rename(path, folder.file("mu%20?sic#")) == 0)
        await expectFailure({ if case .fileMoved = $0 { true } else { false } }) {
            try await first.stream(Artist.all).collect().value()
        }
        await closed(first)
        let moved = folder.file("mu%20?sic#")
        configuration.attached = [AttachedFile(moved, as: "music", entities: Artist.self, access: .immutable)]
        let second = try SQLiteRepository(
            .file(folder.file("films?#%")), entities: Film.self, configuration: configuration)
        #expect(try await second.count(Artist.self).value() == 3)
        await closed(second)
    }

    /// Publishes a new file as `music`, with its tables on other pages than in the previous file.
    private func publish(_ names: [String], _ journal: String, _ byLink: Bool) throws {
        let new = folder.file("music \(names.count)")
        let database = try RawDatabase(new)
        try database.run("PRAGMA journal_mode = \(journal);")
        for number in 0..<names.count { try database.run("CREATE TABLE t\(number) (a)") }
        try database.run("CREATE TABLE Artist (ArtistId INTEGER PRIMARY KEY, Name NVARCHAR(120))")
        for name in names { try database.run("INSERT INTO Artist (Name) VALUES ('\(name)')") }
        database.close()
        guard byLink else { return #expect(rename(new, folder.file("music")) == 0) }
        #expect(symlink(new, folder.file("link")) == 0 && rename(folder.file("link"), folder.file("music")) == 0)
    }

    @Test(
        "S-M6 After a file is published again, every read and live query uses the new one",
        arguments: ["DELETE", "WAL"], [false, true])
    func republished(journal: String, byLink: Bool) async throws {
        func publish(_ names: [String]) throws { try self.publish(names, journal, byLink) }
        try publish(["a"])
        var configuration = RepositoryConfiguration()
        configuration.watchInterval = .milliseconds(5)
        configuration.attached = [AttachedFile(folder.file("music"), as: "music", entities: Artist.self)]
        let repository = try SQLiteRepository(
            .file(folder.file("films")), entities: Film.self, configuration: configuration)
        let live = repository.fetchSubscription(Artist.all).map { $0.map(\.name) }.record()
        let counts = repository.countSubscription(Artist.self).record()
        let films = repository.countSubscription(Film.self).record()
        _ = await (live.values(1), counts.values(1), films.values(1))
        func reads() async throws -> [[String?]] {
            async let eight = withThrowingTaskGroup(of: [String?].self) { group in
                for _ in 0..<8 { group.addTask { try await repository.fetch(Artist.all).value().map(\.name) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let stream = try await repository.stream(Artist.all).collect().value().map(\.name)
            return try await eight + [stream]
        }
        for names in [["a"], ["b", "c"], ["d", "e", "f"]] as [[String]] {
            if names.count > 1 { try publish(names) }
            for read in try await reads() { #expect(read == names) }
            #expect(await live.last(where: { $0.count == names.count }) == names)
            #expect(await counts.last(where: { $0 == names.count }) == names.count)
            try await repository.create(Film.numbered(names.count)).value()
            #expect(await films.last(where: { $0 == names.count }) == names.count)
        }
        // While no file has the name, a read fails, and live queries wait for the next file.
        #expect(rename(folder.file("music"), folder.file("away")) == 0)
        await expectFailure({ if case .fileMoved(folder.file("music")) = $0 { true } else { false } }) {
            try await repository.fetch(Artist.all).value()
        }
        await expectFailure({ if case .fileMoved(folder.file("music")) = $0 { true } else { false } }) {
            try await repository.stream(Artist.all).collect().value()
        }
        try await repository.create(Film.numbered(9)).value()
        try publish(["g", "h", "i", "j"])
        #expect(await live.last(where: { $0.count == 4 }) == ["g", "h", "i", "j"])
        #expect(await films.last(where: { $0 == 4 }) == 4)
        // A file that does not fit ends the live queries that read it.
        let other = try RawDatabase(folder.file("other"))
        try other.run("CREATE TABLE Artist (a)")
        other.close()
        #expect(rename(folder.file("other"), folder.file("music")) == 0)
        await expectFailure({ if case .schemaMismatch = $0 { true } else { false } }) {
            try await repository.fetch(Artist.all).value()
        }
        guard case .failure(.schemaMismatch)? = await live.end() else { return #expect(Bool(false)) }
        await closed(repository)
    }

    @Test("An attached file cannot be written, and SQL cannot attach another one")
    func writing() async throws {
        let repository = try await opened()
        let striker = league.players[0]
        await expectFailure(\.isMisuse) { try await repository.create(striker).value() }
        await expectFailure(\.isMisuse) { try await repository.update(striker).value() }
        await expectFailure(\.isMisuse) { try await repository.delete(Striker.self) { _ in .true }.value() }
        await expectFailure(\.isMisuse) { try await repository.transaction { try $0.count(Striker.self) }.value() }
        for sql: SQL in [
            "ATTACH 'x' AS x", "DETACH \"the \"\"players\"\"\"", "DELETE FROM \"the \"\"players\"\"\".Striker",
        ] {
            await expectFailure(\.isMisuse) { try await repository.rows(sql, as: Club.self).value() }
            await expectFailure(\.isMisuse) { try await repository.transaction { try $0.execute(sql) }.value() }
        }
        #expect(try await repository.fetch(Striker.all).value() == league.players)
        await closed(repository)
    }

    @Test("Opening refuses a file that cannot be attached, and leaves the store as it was")
    func refused() async throws {
        await closed(try await opened())
        let path = try music("DELETE")
        let before = try folder.contents()
        func expect(
            _ files: [AttachedFile], _ words: String, _ store: StoreLocation? = nil,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            var configuration = RepositoryConfiguration()
            configuration.attached = files
            await expectFailure({ "\($0)".contains(words) }, sourceLocation: sourceLocation) {
                try SQLiteRepository(
                    store ?? .file(folder.file("clubs")), entities: Club.self, configuration: configuration)
            }
            #expect(try folder.contents() == before, sourceLocation: sourceLocation)
        }
        let artists = AttachedFile(path, as: "music", entities: Artist.self)
        try await expect([artists], "in memory", .inMemory)
        try await expect([artists, artists], "the name of two files")
        try await expect([artists, AttachedFile(path, as: "b", entities: Artist.self)], "an entity of two files")
        try await expect([AttachedFile(path, as: "main", entities: Artist.self)], "the name of two files")
        try await expect([AttachedFile(path, as: "", entities: Artist.self)], "is empty")
        try await expect([AttachedFile(path, as: "m", entities: Club.self)], "an entity of two files")
        try await expect([AttachedFile(path, as: "m", entities: Film.self)], "there is no table Film")
        try await expect([AttachedFile(path, as: "m", entities: Artist.self, access: .readWrite)], "for reading")
        try await expect([AttachedFile(folder.file("none"), as: "m", entities: Artist.self)], "does not exist")
        try await expect([AttachedFile(folder.file("clubs"), as: "m", entities: Artist.self)], "of the store itself")
        // The store has a table of coaches, although this program does not declare it.
        let players = folder.file("players")
        try await expect([AttachedFile(players, as: "m", entities: Trainer.self)], "another file has a table")
        var configuration = RepositoryConfiguration()
        configuration.attached = [artists]
        await expectFailure(\.isMisuse) {
            try PostgresRepository("", entities: Club.self, configuration: configuration)
        }
    }
}
