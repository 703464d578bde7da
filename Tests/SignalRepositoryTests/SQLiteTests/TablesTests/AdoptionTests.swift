import Foundation
import Signals
import SignalsTesting
import TestTraits
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Files of other programs", .timeLimit(.minutes(10))) struct AdoptionTests {
    /// Makes a file from a script, through SQLite's C interface only.
    private func file(_ folder: TemporaryFolder, _ script: String, name: String = "others.db") throws -> String {
        let database = try RawDatabase(folder.file(name))
        try database.run(script)
        database.close()
        return folder.file(name)
    }

    @Test("A file is opened, read and followed, and stays as it was, byte for byte", arguments: ["DELETE", "WAL"])
    func untouched(journal: String) async throws {
        let folder = try TemporaryFolder()
        let path = try file(folder, "PRAGMA journal_mode = \(journal);" + Scripts.music)
        let before = try folder.contents()
        for access in [StoreAccess.readWrite, .readOnly] {
            let music = try SQLiteRepository(
                adopting: path, entities: Artist.self, Track.self,
                configuration: RepositoryConfiguration(access: access))
            #expect(try await music.fetch(Artist.all).value().map(\.name) == ["AC/DC", nil, "Accept"])
            #expect(try await music.sum(of: \Track.price).value() == 3.98)
            let counts = music.countSubscription(Track.self).record()
            #expect(await counts.values(1) == [3])
            #expect(try await music.check().value().isSound)
            await closed(music)
            #expect(try folder.contents() == before)
        }
    }

    @Test("A write changes only its rows: it adds no mark, no table and no setting", arguments: ["DELETE", "WAL"])
    func written(journal: String) async throws {
        let folder = try TemporaryFolder()
        let path = try file(folder, "PRAGMA journal_mode = \(journal);" + Scripts.music)
        let schema = try RawDatabase(path).rows("SELECT * FROM sqlite_schema ORDER BY name")
        let music = try SQLiteRepository(adopting: path, entities: Artist.self, Track.self)
        try await music.create(Artist(id: 7, name: "Aerosmith")).value()
        try await music.create(Track(id: 9, title: "Janie", artist: 7, price: 2, added: "2024-02-29 10:00:00")).value()
        try await music.insert((10..<20).map { Track(id: $0, title: "\($0)", artist: nil, price: 0.5, added: nil) })
            .value()
        try await music.update(Track.self, set: [.set(\.title, to: "x")]) { $0.id >= 15 }.value()
        try await music.delete(Track.self, id: 10).value()
        await expectFailure(\.isConstraint) {
            try await music.create(Track(id: 30, title: "y", artist: 99, price: 1, added: nil)).value()
        }
        // A URL would need the store's identity, which is a table.
        await expectFailure(\.isMisuse) { try await music.url(Artist.self, id: 7).value() }
        await closed(music)
        let other = try RawDatabase(path)
        #expect(try other.text("PRAGMA journal_mode")?.uppercased() == journal)
        #expect(try other.rows("PRAGMA application_id") == ["0"] && other.rows("PRAGMA user_version") == ["3"])
        #expect(try other.rows("SELECT * FROM sqlite_schema ORDER BY name") == schema)
        #expect(try other.rows("SELECT count(*), sum(Title = 'x') FROM Track") == ["13|5"])
        #expect(try other.rows("SELECT typeof(Price), Extra FROM Track WHERE TrackId = 9") == ["integer|none"])
        #expect(try !FileManager.default.contentsOfDirectory(atPath: folder.path).contains { $0.hasSuffix("-lock") })
    }

    @Test("Several writers share a file: each sees the others' commits, and a lock that lasts is .busy")
    func others() async throws {
        for journal in ["DELETE", "WAL"] {
            let folder = try TemporaryFolder()
            let path = try file(folder, "PRAGMA journal_mode = \(journal);" + Scripts.music)
            var configuration = RepositoryConfiguration()
            (configuration.lockTimeout, configuration.watchInterval) = (.milliseconds(50), .milliseconds(5))
            let first = try SQLiteRepository(
                adopting: path, entities: [Artist.self, Track.self], configuration: configuration)
            let second = try SQLiteRepository(
                adopting: path, entities: [Artist.self, Track.self], configuration: configuration)
            let names = first.fetchSubscription(Artist.all).map { $0.map(\.id) }.record()
            #expect(await names.values(1) == [[1, 2, 3]])
            try await second.create(Artist(id: 4, name: "a")).value()
            #expect(await names.last(where: { $0 == [1, 2, 3, 4] }) == [1, 2, 3, 4])
            let other = try RawDatabase(path)
            try other.run("PRAGMA busy_timeout = 5000; INSERT INTO Artist VALUES (5, 'b')")
            #expect(await names.last(where: { $0.count == 5 }) == [1, 2, 3, 4, 5])
            try other.run("BEGIN IMMEDIATE; INSERT INTO Artist VALUES (6, 'c')")
            await expectFailure({ if case .busy = $0 { true } else { false } }) {
                try await first.create(Artist(id: 7, name: nil)).value()
            }
            try other.run("ROLLBACK")
            other.close()
            try await first.create(Artist(id: 7, name: nil)).value()
            #expect(try await second.count(Artist.self).value() == 6)
            await closed(first)
            await closed(second)
        }
    }

    @Test("Live queries are updated in place, also of a table that is not STRICT, or that has no rowids")
    func followed() async throws {
        let folder = try TemporaryFolder()
        let path = try file(
            folder,
            """
            CREATE TABLE StrictItem (id INTEGER PRIMARY KEY, name TEXT NOT NULL, size REAL NOT NULL) STRICT;
            CREATE TABLE LooseItem (id INTEGER PRIMARY KEY, name TEXT NOT NULL, size REAL NOT NULL);
            CREATE TABLE KeyedItem (id TEXT PRIMARY KEY, name TEXT NOT NULL, size REAL NOT NULL) STRICT, WITHOUT ROWID;
            """)
        let repository = try SQLiteRepository(adopting: path, entities: StrictItem.self, LooseItem.self, KeyedItem.self)
        try await expectFollowed(
            StrictItem.where { $0.size > 0 }.sorted(by: \.name).limit(10), in: repository
        ) { StrictItem(id: $0, name: "\($0)", size: 1) }
        try await expectFollowed(
            LooseItem.where { $0.size > 0 }.sorted(by: \.name).limit(10), in: repository
        ) { LooseItem(id: $0, name: "\($0)", size: 1) }
        try await expectFollowed(
            KeyedItem.where { $0.size > 0 }.sorted(by: \.name).limit(10), in: repository
        ) { KeyedItem(id: "\($0)", name: "\($0)", size: 1) }
        await closed(repository)
    }

    private func expectFollowed<Item: Sized>(
        _ query: FetchQuery<Item>, in repository: SQLiteRepository, _ make: (Int) -> Item
    ) async throws {
        let items = (1...50).map(make)
        try await repository.insert(items).value()
        let lists = repository.fetchSubscription(query).record()
        let counts = repository.countSubscription(query).record()
        _ = await (lists.values(1), counts.values(1))
        let before = repository.statistics
        for (number, item) in items.prefix(6).enumerated() {
            var item = item
            item.size = Double(number) - 2
            try await repository.update(item).value()
            try await repository.delete(items[40 + number]).value()
        }
        let list = try await repository.fetch(query).value()
        #expect(await lists.last(where: { $0 == list }) == list)
        let count = try await repository.count(query).value()
        #expect(await counts.last(where: { $0 == count }) == count)
        #expect(repository.statistics.updatedInPlace > before.updatedInPlace)
        lists.cancel()
        counts.cancel()
    }

    @Test("Composite keys, names with spaces, collations, computed columns, views and triggers")
    func shapes() async throws {
        let folder = try TemporaryFolder()
        let path = try file(folder, Scripts.shop)
        let shop = try SQLiteRepository(adopting: path, entities: OrderDetail.self, Customer.self)
        #expect(try await shop.fetch(OrderDetail.all).value().map(\.id) == [.init(1, 11), .init(1, 42), .init(2, 11)])
        let detail = OrderDetail(order: 2, product: 42, unitPrice: 9.5, quantity: 3)
        #expect(try await shop.create(detail).value() == detail)
        #expect(try await shop.read(OrderDetail.self, id: detail.id).value() == detail)
        #expect(try await shop.fetch(OrderDetail.all.page(size: 2)).value().items.count == 2)
        // The column ignores case, as its table declares.
        #expect(try await shop.fetch(Customer.where { $0.city == "LONDON" }).value().map(\.id) == ["AROUT"])
        // The file's trigger has run.
        #expect(try RawDatabase(path).rows("SELECT count(*) FROM log") == ["1"])
        let totals = try await shop.rows(
            "SELECT CustomerID, total FROM totals ORDER BY 1", as: (String, Double).self
        ).value()
        #expect(totals.map(\.1) == [14, 9.8])
        await closed(shop)
        await expectMismatch(path, ComputedDetail.self, ["Order Details.total is computed by the table"])
        let reading = try SQLiteRepository(
            adopting: path, entities: ComputedDetail.self, configuration: RepositoryConfiguration(access: .readOnly))
        #expect(try await reading.sum(of: \ComputedDetail.total).value() == 52.3)
        await closed(reading)
    }

    @Test("A view is read like a table, and followed when its tables change", arguments: ["DELETE", "WAL"])
    func views(journal: String) async throws {
        let folder = try TemporaryFolder()
        let path = try file(folder, "PRAGMA journal_mode = \(journal);" + Scripts.shop)
        var configuration = RepositoryConfiguration()
        configuration.watchInterval = .milliseconds(1)
        let entities: [any Entity.Type] = [Total.self, Customer.self]
        let shop = try SQLiteRepository(
            adopting: path, entities: entities, configuration: configuration.with(access: .readOnly))
        let all = [Total(id: "ALFKI", total: 14), Total(id: "AROUT", total: 9.8)]
        #expect(try await shop.fetch(Total.all).value() == all)
        #expect(try await shop.fetch(Total.all.sorted(by: \.total)).value() == all.reversed())
        #expect(try await shop.fetch(Total.where { $0.total > 10 }).value() == [all[0]])
        #expect(try await shop.read(Total.self, id: "AROUT").value() == all[1])
        #expect(try await shop.stream(Total.all).collect().value() == all)
        let page = try await shop.fetch(Total.all.page(size: 1)).value()
        let rest = try await shop.fetch(Total.all.page(after: page.next, size: 1)).value()
        #expect(page.items + rest.items == all && rest.next == nil)
        #expect(try await shop.sum(of: \Total.total).value() == 23.8)
        let joined = Total.joined(to: Customer.self) { $0.id == $1.id }
        #expect(try await shop.fetch(joined).value().map(\.right.company) == ["Alfreds", "Around the Horn"])
        let lists = shop.fetchSubscription(Total.all.sorted(by: \.total, .descending)).record()
        let sums = shop.sumSubscription(of: \Total.total).record()
        let item = shop.readSubscription(Total.self, id: "AROUT").record()
        _ = await (lists.values(1), sums.values(1), item.values(1))
        // The repository polls each millisecond, and without a log each poll makes writers wait.
        try RawDatabase(path).run(
            """
            PRAGMA busy_timeout = 5000;
            INSERT INTO "Order Details" (OrderID, ProductID, UnitPrice, Quantity) VALUES (2, 42, 20, 1)
            """)
        let after = [Total(id: "AROUT", total: 29.8), all[0]]
        #expect(await lists.last(where: { $0 == after }) == after)
        #expect(await sums.last(where: { $0 == 43.8 }) == 43.8)
        #expect(await item.last(where: { $0 == after[0] }) == after[0])
        #expect(shop.statistics.updatedInPlace == 0)
        for breaches in [lists.breaches, sums.breaches, item.breaches] { #expect(breaches.isEmpty) }
        await expectFailure(\.isReadOnly) { try await shop.create(Total(id: "x", total: 1)).value() }
        await closed(shop)
    }

    @Test("A table that is only read needs no key, as long as no two rows have the same id")
    func keyless() async throws {
        let folder = try TemporaryFolder()
        let path = try file(folder, "CREATE TABLE totals (CustomerID TEXT, total REAL);")
        func open() throws -> SQLiteRepository {
            try SQLiteRepository(
                adopting: path, entities: Total.self, configuration: RepositoryConfiguration(access: .readOnly))
        }
        for script in ["SELECT 1", "INSERT INTO totals VALUES ('a', 1), ('A', 2), ('é', 3), ('e\u{301}', 4)"] {
            try RawDatabase(path).run(script)
            let repository = try open()
            let items = try await repository.fetch(Total.all).value()
            #expect(try await Array(repository.listSubscription(Total.all).value().items) == items)
            await closed(repository)
        }
        await expectMismatch(path, Total.self, ["stored with no key"])
        for row in ["('a', 5)", "(NULL, 6)"] {
            try RawDatabase(path).run("INSERT INTO totals VALUES \(row)")
            await expectFailure({ "\($0)".contains("two rows of totals have the same CustomerID, or one has none") }) {
                try open()
            }
            try RawDatabase(path).run("DELETE FROM totals WHERE total > 4")
        }
        await closed(try open())
    }

    @Test("Every mismatch is named, and the file stays as it was", arguments: ["DELETE", "WAL"])
    func refused(journal: String) async throws {
        let folder = try TemporaryFolder()
        let path = try file(folder, "PRAGMA journal_mode = \(journal);" + Scripts.misfits)
        let before = try folder.contents()
        await expectMismatch(
            path, Misfit.self,
            [
                "there is no column Misfit.missing", "Misfit.number is declared as INTEGER and stored as TEXT",
                "Misfit.text is declared as TEXT and stored as INTEGER", "Misfit.other is declared with REFERENCES",
                "declares text as unique", "Misfit.needed is not declared, and a row needs a value for it",
                "with the key id, and stored with no key",
            ])
        await expectMismatch(path, NoTable.self, ["there is no table NoTable"])
        await expectMismatch(path, Seen.self, ["Seen is a view, which cannot be written"])
        await expectMismatch(path, Folded.self, ["compared by NOCASE"])
        await expectMismatch(path, Generated.self, ["declared as generated"])
        #expect(try folder.contents() == before)
        // A store of the library cannot be adopted.
        let own = try SQLiteRepository(.file(folder.file()), entities: Film.self)
        await expectFailure(\.isMisuse) { try SQLiteRepository(adopting: folder.file(), entities: Film.self) }
        await closed(own)
        await expectFailure(\.isMisuse) { try SQLiteRepository(adopting: folder.file(), entities: Film.self) }
        await expectFailure(\.isMisuse) {
            let configuration = RepositoryConfiguration(history: .kept(for: .seconds(60)))
            return try SQLiteRepository(adopting: path, entities: Film.self, configuration: configuration)
        }
        for name in ["none.db", "empty.db", "text.db", ""] {
            if name == "empty.db" { try Data().write(to: URL(fileURLWithPath: folder.file(name))) }
            if name == "text.db" {
                try Data(repeating: 65, count: 900).write(to: URL(fileURLWithPath: folder.file(name)))
            }
            await expectFailure({ error in
                switch error {
                case .cannotOpen, .notADatabase: true
                default: false
                }
            }) { try SQLiteRepository(adopting: folder.file(name), entities: Film.self) }
        }
    }

    private func expectMismatch<Item: Entity>(_ path: String, _ entity: Item.Type, _ words: [String]) async {
        await expectFailure({ error in
            guard case .schemaMismatch(let detail) = error else { return false }
            return words.allSatisfy { detail.contains($0) } && detail.components(separatedBy: "; ").count == words.count
        }) { try SQLiteRepository(adopting: path, entities: entity) }
    }

    @Test("A stored value that the property cannot hold is a decoding error, and nothing is lost")
    func values() async throws {
        let folder = try TemporaryFolder()
        let path = try file(
            folder,
            """
            CREATE TABLE LooseItem (id INTEGER PRIMARY KEY, name TEXT, size NUMERIC);
            INSERT INTO LooseItem VALUES (1, 'a', 2), (2, 'b', 2.5), (3, 'c', 9007199254740993), (4, x'00', 1);
            INSERT INTO LooseItem VALUES (5, NULL, 1);
            """)
        let repository = try SQLiteRepository(adopting: path, entities: LooseItem.self)
        #expect(try await repository.fetch(LooseItem.where { $0.id <= 2 }).value().map(\.size) == [2, 2.5])
        for id in 3...5 {
            await expectFailure(\.isDecoding) { try await repository.read(LooseItem.self, id: id).value() }
            let live = repository.readSubscription(LooseItem.self, id: id).record()
            guard case .failure(.decoding)? = await live.end() else {
                Issue.record("The live query did not fail.")
                continue
            }
        }
        let lenient = try await repository.fetch(LooseItem.all.lenient).value()
        #expect(lenient.success.count == 2 && lenient.failed.count == 3)
        await closed(repository)
        #expect(
            try RawDatabase(path).rows("SELECT hex(name), size FROM LooseItem WHERE id > 2") == [
                "63|9007199254740993", "00|1", "|1",
            ])
    }

    @Test("R12 After a kill, every acknowledged commit is stored, and none is partial", .prompt)
    func killed() async throws {
        let rounds = ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 1
        for journal in ["DELETE", "WAL"] {
            let file = SharedFile.own("adopted")
            defer {
                file.remove()
                unlink(file.path + "-acknowledged")
                unlink(file.path + "-journal")
            }
            let database = try RawDatabase(file.path)
            try database.run("PRAGMA journal_mode = \(journal);" + Scripts.music)
            database.close()
            var known = 3
            for _ in 0..<rounds {
                await #expect(processExitsWith: .exitCode(7)) {
                    let path = SharedFile.parents("adopted").path
                    let music = try SQLiteRepository(
                        adopting: path, entities: Artist.self,
                        configuration: RepositoryConfiguration(durability: .normal))
                    let first = try await music.count(Artist.self).value() + 1
                    let (end, acknowledged) = (Int.random(in: 1...20), Counter())
                    for number in first..<first + 40 {
                        let artists = [Artist(id: number, name: "a"), Artist(id: -number, name: "b")]
                        _ = music.createAtomically(artists).record { _, event in
                            guard case .value = event else { return }
                            guard acknowledged.add() == end else { return }
                            try? Data(repeating: 65, count: end).write(to: URL(fileURLWithPath: path + "-acknowledged"))
                            _exit(7)
                        }
                    }
                    await closed(music)
                    // Acknowledgements may still be on their way; one of them ends the process.
                    _ = try await Signal<Int, RepositoryError>.never().value()
                }
                known += 2 * (try Data(contentsOf: URL(fileURLWithPath: file.path + "-acknowledged")).count)
                let rows = try RawDatabase(file.path).rows("SELECT count(*) FROM Artist")
                let count = try #require(Int(rows[0]))
                #expect(count >= known && (count - known) % 2 == 0)
                #expect(try RawDatabase(file.path).rows("PRAGMA integrity_check") == ["ok"])
                known = count
            }
        }
    }
}
