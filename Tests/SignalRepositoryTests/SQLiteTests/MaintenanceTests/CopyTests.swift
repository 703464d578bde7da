import Foundation
import Signals
import SignalsTesting
import TestTraits
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Copying from another file", .timeLimit(.minutes(10))) struct CopyTests {
    private func store(
        _ folder: TemporaryFolder, _ name: String, _ entities: [any Entity.Type], history: StoreHistory = .none
    ) throws -> SQLiteRepository {
        try SQLiteRepository(
            .file(folder.file(name)), entities: entities,
            configuration: RepositoryConfiguration(durability: .normal, history: history))
    }

    @Test("Values are copied bit for bit, and the next id is greater", arguments: StoreKind.local, [0, 1, 2, 3, 1_000])
    func values(kind: StoreKind, count: Int) async throws {
        let folder = try TemporaryFolder()
        let source = try store(folder, "source", [Exhibit.self])
        let exhibits = (1..<count + 1).map { Exhibit.numbered($0) }
        try await source.insert(exhibits).value()
        await closed(source)
        unlink(folder.file("source-lock"))
        let before = try folder.contents()
        try await withSQLite(kind, [Exhibit.self]) { target in
            #expect(try await target.copy(Exhibit.self, from: folder.file("source")).value() == count)
            #expect(try folder.contents() == before)
            #expect(try await target.fetch(Exhibit.all).value() == exhibits)
            _ = try await target.backup(to: folder.file("copy")).last().value()
            let (old, new) = (try RawDatabase(folder.file("source")), try RawDatabase(folder.file("copy")))
            #expect(try old.dump(Exhibit.self) == new.dump(Exhibit.self))
            #expect(try await target.create(Exhibit.numbered(0)).value().id == count + 1)
            // The second time every id is taken.
            guard count > 0 else { return }
            await expectFailure({ $0.isConstraint && $0.item?.id == "1" && $0.item?.index == 0 }) {
                try await target.copy(Exhibit.self, from: folder.file("source")).value()
            }
            let again = target.copy(Exhibit.self, from: folder.file("source"), existing: .kept)
            #expect(try await again.value() == 0)
            #expect(try await target.count(Exhibit.self).value() == count + 1)
        }
    }

    @Test("Copies into and from another program's file keep numbers as numbers", arguments: ["DELETE", "WAL"])
    func adopted(journal: String) async throws {
        let folder = try TemporaryFolder()
        for name in ["source?a#b%20.db", "target.db"] {
            let database = try RawDatabase(folder.file(name))
            try database.run("PRAGMA journal_mode = \(journal);" + Scripts.music)
            if name == "target.db" { try database.run("DELETE FROM Track; DELETE FROM Artist") }
            database.close()
        }
        let path = folder.file("source?a#b%20.db")
        let before = try folder.contents()
        let own = try store(folder, "own", [Artist.self, Track.self])
        let target = try SQLiteRepository(adopting: folder.file("target.db"), entities: Artist.self, Track.self)
        // In any order, although tracks refer to artists.
        for repository in [own, target] {
            #expect(try await repository.copy(Track.self, Artist.self, from: path).value() == 6)
            #expect(try await repository.fetch(Artist.all).value().map(\.name) == ["AC/DC", nil, "Accept"])
            #expect(try await repository.sum(of: \Track.price).value() == 3.98)
            #expect(try await repository.read(Track.self, id: 3).value().added == "2010-12-31 23:59:59")
        }
        await closed(target)
        await closed(own)
        let after = try folder.contents()
        #expect(after.keys.sorted() == (Array(before.keys) + ["own", "own-lock"]).sorted())
        #expect(after["source?a#b%20.db"] == before["source?a#b%20.db"])
        let columns = ["TrackId", "Title", "ArtistId", "Price", "Added"]
        let (old, new) = (try RawDatabase(path), try RawDatabase(folder.file("target.db")))
        #expect(try old.dump("Track", columns) == new.dump("Track", columns))
        // From a store into an adopted file.
        try new.run("DELETE FROM Track; DELETE FROM Artist")
        new.close()
        let again = try SQLiteRepository(adopting: folder.file("target.db"), entities: Artist.self, Track.self)
        #expect(try await again.copy([Artist.self, Track.self], from: folder.file("own")).value() == 6)
        #expect(try await again.count(Track.self).value() == 3)
        await closed(again)
    }

    @Test("Texts of a UTF-16 file are copied unchanged")
    func encodings() async throws {
        let folder = try TemporaryFolder()
        let database = try RawDatabase(folder.file("source"))
        try database.run(
            "PRAGMA encoding = 'UTF-16le'; CREATE TABLE Land (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL)")
        let texts = TextZoo.texts.filter { !$0.utf8.contains(0) }
        for (number, text) in texts.enumerated() {
            try database.run("INSERT INTO Land VALUES ('\(number)', '\(text)')")
        }
        database.close()
        try await withSQLite(.memory, [Land.self]) { target in
            #expect(try await target.copy(Land.self, from: folder.file("source")).value() == texts.count)
            let names = try await target.fetch(Land.all).value().map(\.name)
            #expect(names.isStored(like: texts))
        }
    }

    @Test("References are kept in whatever order entities are named, and so are references to the same entity")
    func references() async throws {
        let folder = try TemporaryFolder()
        let entities: [any Entity.Type] = [Land.self, House.self, Lodger.self, Visit.self]
        let source = try store(folder, "source", entities)
        try await source.transaction { store in
            try store.create(Land(id: "a", name: "A"))
            for number in 1...3 { try store.create(House(id: 7 * number, name: "\(number)", land: "a")) }
            try store.insert((1...50).map { Lodger(id: $0, house: 7, friend: nil) })
            // The first refers to the last.
            try store.execute("UPDATE Lodger SET friend = 51 - id")
            try store.insert((1...3).map { Visit(house: $0, day: "\"\($0)'") })
        }.value()
        for number in 0..<2 {
            let target = try store(folder, "target\(number)", entities)
            let named: [any Entity.Type] = number == 0 ? entities : entities.reversed()
            #expect(try await target.copy(named, from: folder.file("source")).value() == 57)
            #expect(try await target.fetch(Lodger.all).value() == source.fetch(Lodger.all).value())
            #expect(try await target.fetch(House.all).value() == source.fetch(House.all).value())
            #expect(try await target.fetch(Visit.all).value() == source.fetch(Visit.all).value())
            #expect(try await target.check().value().isSound)
            // A row that has only a key is not counted as replaced.
            #expect(try await target.copy(Visit.self, from: folder.file("source"), existing: .replaced).value() == 0)
            await closed(target)
        }
        // Without the rows they refer to, the first item with a broken reference is named, and nothing is stored.
        var target = try store(folder, "target", entities)
        await expectFailure({ $0.breaks("land") && $0.item?.id == "7" && $0.item?.index == 0 }) {
            try await target.copy(House.self, from: folder.file("source")).value()
        }
        await expectFailure({ $0.breaks("house") && $0.item?.id == "1" }) {
            try await target.copy(Lodger.self, Visit.self, from: folder.file("source")).value()
        }
        try await target.transaction { store in
            try store.create(House(id: 7, name: "7", land: nil))
            try store.create(Lodger(id: 99, house: 7, friend: nil))
        }.value()
        await closed(source)
        await closed(target)
        // The first item refers to a deleted one, and another program has broken a reference in the target.
        for (name, sql) in [
            ("source", "DELETE FROM Lodger WHERE id = 50"), ("target", "INSERT INTO Lodger VALUES (0, 7, 77)"),
        ] {
            let raw = try RawDatabase(folder.file(name))
            try raw.run(sql)
            raw.close()
        }
        target = try store(folder, "target", entities)
        await expectFailure({ $0.breaks("friend") && $0.item?.id == "1" }) {
            try await target.copy(Lodger.self, from: folder.file("source")).value()
        }
        #expect(try await target.count(Lodger.self).value() == 2)
        // References are checked immediately again.
        await expectFailure({ $0.breaks("house") }) {
            try await target.transaction { store in
                try store.create(Lodger(id: 100, house: 1, friend: nil))
                Issue.record("The reference was not checked immediately.")
            }.value()
        }
        await closed(target)
    }

    @Test("An item whose id is taken is refused, replaced or kept; any other broken constraint undoes the whole copy")
    func conflicts() async throws {
        let folder = try TemporaryFolder()
        let source = try store(folder, "source", [Land.self, House.self])
        try await source.insert((1...1_500).map { House(id: $0, name: "new \($0)", land: nil) }).value()
        await closed(source)
        let target = try store(folder, "target", [Land.self, House.self])
        let there = [House(id: 1_200, name: "old", land: nil), House(id: 3_000, name: "other", land: nil)]
        try await target.insert(there).value()
        let counts = target.countSubscription(House.self).record()
        _ = await counts.values(1)
        await expectFailure({ $0.isConstraint && $0.item?.id == "1200" && $0.item?.index == 1_199 }) {
            try await target.copy(House.self, from: folder.file("source")).value()
        }
        #expect(try await target.fetch(House.all).value() == there)
        let path = folder.file("source")
        #expect(try await target.copy(House.self, from: path, existing: .kept).value() == 1_499)
        #expect(try await target.read(House.self, id: 1_200).value() == there[0])
        #expect(try await target.copy(House.self, from: path, existing: .replaced).value() == 1_500)
        #expect(try await target.read(House.self, id: 1_200).value().name == "new 1200")
        #expect(try await target.count(House.self).value() == 1_501)
        // Another item has the name.
        try await target.delete(House.self) { $0.id < 3_000 }.value()
        try await target.update(House(id: 3_000, name: "new 900", land: nil)).value()
        for existing in [ExistingItems.refused, .replaced, .kept] {
            await expectFailure({ error in
                guard case .constraint(.unique, ["name"], _, let item) = error else { return false }
                return item?.id == "900" && item?.index == 899
            }) { try await target.copy(House.self, from: path, existing: existing).value() }
        }
        #expect(try await target.count(House.self).value() == 1)
        #expect(await counts.last(where: { $0 == 1 }) == 1 && counts.breaches.isEmpty)
        await closed(target)
    }

    @Test("Live values, changes and the history report a copy once, with its author; times stay, words are found")
    func told() async throws {
        let folder = try TemporaryFolder()
        let source = try store(folder, "source", [Leaflet.self])
        let past = Date(timeIntervalSince1970: 1_000)
        try await source.insert((1...1_000).map { Leaflet(id: $0, text: "word\($0)", created: past, updated: past) })
            .value()
        let stored = try await source.fetch(Leaflet.all).value()
        await closed(source)
        let target = try store(folder, "target", [Leaflet.self], history: .kept(for: .seconds(1_000)))
        try await target.create(Leaflet(id: 5, text: "old", created: past, updated: past)).value()
        let created = try await target.read(Leaflet.self, id: 5).value().created
        let sums = target.sumSubscription(of: \Leaflet.id).record()
        let lists = target.fetchSubscription(Leaflet.where { $0.id <= 3 }).record()
        let updates = target.listSubscription(Leaflet.where { $0.id > 998 }).map { $0.items.map(\.id) }.record()
        let changes = target.changes(of: Leaflet.self).record()
        let entries = target.changes(since: .beginning).record()
        _ = await (sums.values(1), lists.values(1), entries.values(1), updates.values(1))
        let copy = target.copy(Leaflet.self, from: folder.file("source"), existing: .replaced, author: "ann")
        #expect(try await copy.value() == 1_000)
        #expect(await sums.values(2) == [5, 500_500])
        #expect(await lists.values(2) == [[], Array(stored[..<3])])
        #expect(await updates.values(2) == [[], [999, 1_000]])
        let change = try #require(await changes.values(1).first)
        #expect(change.author == "ann" && change.extent == .rows)
        #expect(try change.inserted(of: Leaflet.self).count == 999 && change.updated(of: Leaflet.self).count == 1)
        let entry = try #require(await entries.values(2).last)
        #expect(try entry.author == "ann" && entry.inserted(of: Leaflet.self).count == 999)
        // As with `upsert`, an existing time of creation stays.
        var expected = stored
        expected[4].created = created
        #expect(try await target.fetch(Leaflet.all).value() == expected)
        #expect(try await target.fetch(Leaflet.matching("word77")).value().map(\.item.id) == [77])
        #expect(sums.values.count == 2 && lists.values.count == 2 && changes.values.count == 1)
        await closed(target)
        for breaches in [sums.breaches, lists.breaches, changes.breaches, updates.breaches] {
            #expect(breaches.isEmpty)
        }
    }

    @Test("A copy is of one state, even if another program writes to the source", arguments: ["DELETE", "WAL"])
    func oneState(journal: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("source")
        let database = try RawDatabase(path)
        try database.run(
            """
            PRAGMA journal_mode = \(journal); CREATE TABLE Parcel (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
            CREATE TABLE Land (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL);
            INSERT INTO Land VALUES ('a', 'A');
            """)
        for parcel in Parcel.many("state \(journal)") {
            try database.run("INSERT INTO Parcel VALUES (\(parcel.id), '\(parcel.text)')")
        }
        database.close()
        let refused = Counter()
        Parcel.on("state \(journal)") {
            let isDone = (try? RawDatabase(path))?.attempt("UPDATE Parcel SET text = 'late'; DELETE FROM Land")
            if isDone != true { refused.add() }
        }
        defer { Parcel.on("state \(journal)", nil) }
        let target = try store(folder, "target", [Parcel.self, Land.self])
        // Without a log, the copy's read makes the other program's write fail.
        #expect(try await target.copy(Parcel.self, Land.self, from: path).value() == 2_002)
        #expect(try await target.count(Parcel.where { $0.text == "late" }).value() == 0)
        #expect(try await target.count(Land.self).value() == 1)
        #expect(refused.value == (journal == "DELETE" ? 1 : 0))
        await closed(target)
    }

    @Test("R10 A cancelled copy leaves nothing; a running one completes despite a close and a moved source")
    func ended() async throws {
        let folder = try TemporaryFolder()
        let source = try store(folder, "source", [Parcel.self])
        try await source.insert(Parcel.many("cancelled")).value()
        await closed(source)
        let target = try store(folder, "target", [Parcel.self])
        let (reached, gone) = (Gate(), Gate())
        Parcel.on("cancelled") {
            reached.open()
            gone.wait()
        }
        let copy = target.copy(Parcel.self, from: folder.file("source")).record()
        await reached.opened()
        copy.cancel()
        gone.open()
        #expect(try await target.count(Parcel.self).value() == 0)
        // An attached write completes, although the repository is closing and the source has moved.
        Parcel.on("cancelled") {
            reached.open()
            gone.wait()
        }
        let second = target.copy(Parcel.self, from: folder.file("source")).record()
        await reached.opened()
        let closing = target.close()
        try FileManager.default.moveItem(atPath: folder.file("source"), toPath: folder.file("moved"))
        gone.open()
        for await _ in closing.values {}
        #expect(await second.end() == .finished && second.values == [2_001])
        Parcel.on("cancelled", nil)
        #expect(copy.values.isEmpty && copy.breaches.isEmpty && second.breaches.isEmpty)
        let again = try store(folder, "target", [Parcel.self])
        #expect(try await again.count(Parcel.self).value() == 2_001)
        await closed(again)
    }

    @Test("A program that is killed during a copy leaves all of it or nothing", .prompt)
    func killed() async throws {
        let rounds = ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 2
        let (source, target) = (SharedFile.own("copied-from"), SharedFile.own("copied-to"))
        defer {
            source.remove()
            target.remove()
        }
        let filled = try SQLiteRepository(
            .file(source.path), entities: Parcel.self, configuration: RepositoryConfiguration(durability: .normal))
        try await filled.insert((0..<5_000).map { Parcel(id: $0, text: "\($0)") }).value()
        await closed(filled)
        for _ in 0..<rounds {
            await #expect(processExitsWith: .exitCode(7)) {
                let path = SharedFile.parents("copied-to").path
                let repository = try SQLiteRepository(.file(path), entities: Parcel.self)
                try await repository.delete(Parcel.self) { _ in .true }.value()
                Parcel.on("\(Int.random(in: 0..<6_000))") { _exit(7) }
                _ = try await repository.copy(Parcel.self, from: SharedFile.parents("copied-from").path).value()
                try Data([1]).write(to: URL(fileURLWithPath: path + "-acknowledged"))
                _exit(7)
            }
            let repository = try SQLiteRepository(.file(target.path), entities: Parcel.self)
            let isAcknowledged = unlink(target.path + "-acknowledged") == 0
            #expect(try await repository.count(Parcel.self).value() == (isAcknowledged ? 5_000 : 0))
            #expect(try await repository.check().value().isSound)
            await closed(repository)
        }
    }
}

extension RepositoryError {
    fileprivate func breaks(_ column: String) -> Bool {
        guard case .constraint(.foreignKey, [column], _, _) = self else { return false }
        return true
    }
}
