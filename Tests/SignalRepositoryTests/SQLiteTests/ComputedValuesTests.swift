import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Terms over other programs' columns, whose values may have any storage class.
@Suite("Computing with other programs' columns", .timeLimit(.minutes(10))) struct ComputedValuesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let readings = """
        CREATE TABLE Reading (id INTEGER PRIMARY KEY, number NUMERIC, time NUMERIC, note);
        INSERT INTO Reading VALUES (1, 7, 86400, 'a'), (2, 2, 172800, NULL);
        """

    @Test(
        "B20 Computing with a value that the property cannot hold is an error, and stores nothing",
        arguments: ["2.5", "'12abc'", "'12'", "'text'", "x'31'"])
    func computed(value: String) async throws {
        for type in ["INTEGER", ""] where type.isEmpty || value != "'12'" {
            let store = try folder.adopt(
                """
                CREATE TABLE Number (id INTEGER PRIMARY KEY, n \(type) NOT NULL, d NUMERIC);
                INSERT INTO Number VALUES (1, \(value), 1);
                """, Number.self)
            let terms: [Term<Number, Int>] = [
                Number.queryTerms.n + 1, 1 + Number.queryTerms.n, Number.queryTerms.n * 2 - 1, -Number.queryTerms.n,
                Number.queryTerms.n / 2, Number.queryTerms.n % 2, Number.queryTerms.n.magnitude,
                (Number.queryTerms.n + 1) / 2,
            ]
            for term in terms {
                await expectFailure(\.isDecoding) {
                    try await store.fetch(Number.all.select { _ in term }).value()
                }
                await expectFailure(\.isDecoding) { try await store.count(Number.self) { _ in term > 0 }.value() }
                await expectFailure(\.isDecoding) {
                    try await store.update(Number.self, set: [.set(\.n, to: term)]) { _ in .true }.value()
                }
                await expectFailure(\.isDecoding) {
                    try await store.fetch(Number.all.aggregate { _ in term.sum() }).value()
                }
            }
            await expectFailure(\.isDecoding) {
                try await store.fetch(Number.all.select { $0.n.cast(as: Double.self) }).value()
            }
            let rows = try await store.read { try $0.rows(SQL(unsafe: "SELECT n = \(value) FROM Number")) }.value()
            #expect(rows == [[.integer(1)]])
            await closed(store)
        }
    }

    @Test(
        "B20 B6a A whole number in a NUMERIC column divides like the property's type, and has the right day as a date")
    func wholeOperands() async throws {
        let store = try folder.adopt(
            """
            CREATE TABLE Reading (id INTEGER PRIMARY KEY, number NUMERIC, time NUMERIC, note);
            INSERT INTO Reading VALUES (1, 7, 86400, 'a'), (2, 0.5, 0.25, NULL);
            """, Reading.self)
        #expect(try await store.fetch(Reading.all.select { $0.number / 2 }).value() == [3.5, 0.25])
        #expect(try await store.fetch(Reading.where { $0.number / 2 > 3 }).value().map(\.id) == [1])
        let days = Reading.all.select { $0.time.day(in: .gmt) }
        let dates = try await store.fetch(Reading.all).value().map(\.time)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        #expect(try await store.fetch(days).value() == dates.map { calendar.component(.day, from: $0) })
        await closed(store)
    }

    @Test("B20 Computing with bytes or numbers where the property is a text fails", arguments: ["x'41'", "1", "2.5"])
    func notTexts(value: String) async throws {
        let store = try folder.adopt(
            """
            CREATE TABLE Reading (id INTEGER PRIMARY KEY, number NUMERIC, time NUMERIC, note);
            INSERT INTO Reading VALUES (1, 7, 86400, \(value));
            """, Reading.self)
        await expectFailure(\.isDecoding) {
            try await store.fetch(Reading.all.select { $0.note.uppercased() }).value()
        }
        await expectFailure(\.isDecoding) { try await store.fetch(Reading.all.select { $0.note.count }).value() }
        await expectFailure(\.isDecoding) { try await store.fetch(Reading.all.select { $0.note + "!" }).value() }
        await expectFailure(\.isDecoding) { try await store.fetch(Reading.all.select { $0.note ?? "" }).value() }
        await closed(store)
    }

    @Test("B20 The greatest value and the localized order of a column keep the type of the property")
    func kept() async throws {
        let store = try folder.adopt(Self.readings, Reading.self)
        let ratio = Reading.all.aggregate { $0.number.max() / $0.number.min() }
        let ratios: [Double?] = try await store.fetch(ratio).value()
        #expect(ratios == [3.5])
        let some = Reading.all.aggregate { $0.number.max(where: $0.id > 0) / 2 }
        let halves: [Double?] = try await store.fetch(some).value()
        #expect(halves == [3.5])
        let days: [Int?] = try await store.fetch(Reading.all.aggregate { $0.time.max().day() }).value()
        #expect(days == [3])
        await closed(store)
        let other = try folder.adopt(
            """
            CREATE TABLE Reading (id INTEGER PRIMARY KEY, number, time NUMERIC, note);
            INSERT INTO Reading VALUES (1, 'zzz', 1, x'41');
            """, Reading.self)
        await expectFailure(\.isDecoding) {
            try await other.fetch(Reading.all.aggregate { $0.number.max() + 1 }).value()
        }
        for locale in ["en", "de"] {
            let locale = Locale(identifier: locale)
            await expectFailure(\.isDecoding) {
                try await other.fetch(Reading.all.select { $0.note.localized(locale) + "!" }).value()
            }
            await expectFailure(\.isDecoding) {
                try await other.fetch(Reading.all.select { $0.note.localized(locale).count }).value()
            }
        }
        await closed(other)
    }

    @Test("B20 Text that is not UTF-8 is an error, and a text search finds nothing in bytes")
    func spoiltTexts() async throws {
        let store = try folder.adopt(
            """
            CREATE TABLE Reading (id INTEGER PRIMARY KEY, number NUMERIC, time NUMERIC, note);
            INSERT INTO Reading VALUES (1, 1, 1, CAST(x'ff' AS TEXT));
            """, Reading.self)
        await expectFailure(\.isDecoding) { try await store.fetch(Reading.all.select { $0.note.count }).value() }
        try await store.transaction { try $0.execute("UPDATE Reading SET note = x'41'") }.value()
        #expect(try await store.count(Reading.self) { $0.note.contains("A") }.value() == 0)
        #expect(try await store.count(Reading.self) { $0.note.hasPrefix("A") }.value() == 0)
        await closed(store)
    }

    @Test("B20 A query that has run in the library's own store is right in an adopted file too")
    func sharedQuery() async throws {
        let own = try SQLiteRepository(.inMemory, entities: Reading.self)
        let adopted = try folder.adopt(Self.readings, Reading.self)
        let dear = Reading.where { $0.number / 2 > 3 }.count
        let sum = Reading.all.aggregate { ($0.number / 2).sum() }
        for _ in 0..<2 {
            #expect(try await own.fetch(dear).value() == 0)
            #expect(try await adopted.fetch(dear).value() == 1)
            #expect(try await own.fetch(sum).value() == [0])
            #expect(try await adopted.fetch(sum).value() == [4.5])
        }
        await closed(adopted)
        await closed(own)
    }

    @Test("B20 The columns of a view that the store creates compute with the types of the properties")
    func views() async throws {
        let store = try SQLiteRepository(.inMemory, entities: Number.self, Share.self)
        try await store.create(Number(id: 1, n: 7, d: nil)).value()
        let shares: [Double?] = try await store.fetch(Share.all.select { $0.total / $0.parts }).value()
        #expect(shares == [3.5])
        #expect(try await store.fetch(Share.where { $0.total / $0.parts > 3.2 }).value().count == 1)
        await closed(store)
    }

    @Test("B20 An attached file of another program changes nothing for the store's own tables")
    func attached() async throws {
        var configuration = RepositoryConfiguration()
        configuration.attached = [AttachedFile(try folder.database(Self.readings), as: "other", entities: Reading.self)]
        let store = try SQLiteRepository(
            .file(folder.file("own.db")), entities: Number.self, configuration: configuration)
        try await store.insert([Number(id: 1, n: 3, d: nil), Number(id: 2, n: 1, d: nil)]).value()
        let sorted = Number.all.sorted { $0.n * 2 }
        let first = try await store.fetch(sorted.page(size: 1)).value()
        #expect(first.items.map(\.id) == [2])
        let next = try await store.transaction { try $0.fetch(sorted.page(after: first.next, size: 1)) }.value()
        #expect(next.items.map(\.id) == [1])
        // The attached table is another program's.
        #expect(try await store.fetch(Reading.all.select { $0.number / 2 }).value() == [3.5, 1])
        await closed(store)
    }

    @Test("B20 An upsert does not return a number for a text that it left unchanged")
    func answered() async throws {
        let store = try folder.adopt(
            """
            CREATE TABLE Coin (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, weight, note TEXT);
            INSERT INTO Coin VALUES (1, 'a', '12abc', NULL), (2, 'b', 7, NULL);
            """, Coin.self)
        await expectFailure(\.isDecoding) {
            try await store.upsert(Coin(id: 1, code: "a", weight: 1, note: "n"), on: [\.code], updating: [\.note])
                .value()
        }
        let coin = try await store.upsert(
            Coin(id: 2, code: "b", weight: 1, note: "n"), on: [\.code], updating: [\.note]
        ).value()
        #expect(coin == Coin(id: 2, code: "b", weight: 7, note: "n"))
        await closed(store)
    }
}

private struct Number: Entity, Equatable {
    let id: Int
    var n: Int
    var d: Double?
    static let schema = Schema(Column("id", \Number.id), Column("n", \.n), Column("d", \.d), make: Number.init)
}

private struct Reading: Entity, Equatable {
    let id: Int
    var number: Double
    var time: Date
    var note: String?
    static let schema = Schema(
        Column("id", \Reading.id), Column("number", \.number), Column("time", \.time), Column("note", \.note),
        make: Reading.init)
}

private struct Share: Entity, Equatable {
    let id: Int
    var total: Double
    var parts: Double
    static let schema = Schema(
        Column("id", \Share.id), Column("total", \.total), Column("parts", \.parts),
        clauses: [.view("SELECT id, n AS total, 2 AS parts FROM Number")], make: Share.init)
}

private struct Coin: Entity, Equatable {
    let id: Int
    var code: String
    var weight: Double
    var note: String?
    static let schema = Schema(
        Column("id", \Coin.id), Column("code", \.code, .unique), Column("weight", \.weight), Column("note", \.note),
        make: Coin.init)
}
