import Foundation
import Signals
import SignalsTesting
import Testing

@testable import SignalRepository

/// A row of a table that another program declared, with columns that hold values of any type.
private struct Ware: Entity, Equatable {
    let id: Int
    var stock: Int
    var price: Double
    var isNew: Bool
    var name: String?
    var picture: Data?
    var made: Date

    static let schema = Schema {
        Column("id", \Ware.id)
        Column("stock", \.stock)
        Column("price", \.price)
        Column("isNew", \.isNew)
        Column("name", \.name)
        Column("picture", \.picture)
        Column("made", \.made)
    } decode: { row in
        try Ware(
            id: row.next(), stock: row.next(), price: row.next(), isNew: row.next(), name: row.next(),
            picture: row.next(), made: row.next())
    }
}

/// Tables that the library would not create: not STRICT, without rowids, with other keys, collations and no types.
private let tables = [
    """
    CREATE TABLE Ware (id INTEGER PRIMARY KEY, stock INT NOT NULL, price DECIMAL(10, 2) NOT NULL,
        isNew BOOLEAN NOT NULL, name VARCHAR(20), picture BLOB, made DATETIME NOT NULL, extra NUMERIC)
    """,
    """
    CREATE TABLE Ware (id INTEGER PRIMARY KEY, stock INT NOT NULL, price REAL NOT NULL, isNew INT NOT NULL,
        name TEXT COLLATE NOCASE, picture, made REAL NOT NULL, extra)
    """,
    """
    CREATE TABLE Ware (id INT PRIMARY KEY NOT NULL, stock INT NOT NULL, price REAL NOT NULL, isNew INT NOT NULL,
        name TEXT COLLATE RTRIM, picture BLOB, made REAL NOT NULL, extra TEXT) WITHOUT ROWID
    """,
    """
    CREATE TABLE Ware (id INT NOT NULL UNIQUE, stock INT NOT NULL, price REAL NOT NULL, isNew INT NOT NULL,
        name TEXT, picture BLOB, made REAL NOT NULL, extra INT, code INTEGER PRIMARY KEY);
    CREATE INDEX WareByStock ON Ware (stock)
    """,
    """
    CREATE TABLE Ware (id INTEGER PRIMARY KEY, stock INT NOT NULL, price REAL NOT NULL, isNew INT NOT NULL,
        name TEXT COLLATE NOCASE, picture BLOB, made REAL NOT NULL, extra ANY) STRICT
    """,
]

/// A row whose key is a number that a NUMERIC column stores as an integer if it is whole.
private struct Mark: Entity, Equatable {
    let id: Double
    var name: String

    static let schema = Schema(Column("id", \Mark.id), Column("name", \.name), make: Mark.init)
}

/// A query, the other program's tables and its commits, and how often the query may be re-read.
private struct LooseCase: Sendable, CustomTestStringConvertible {
    let tables: String
    let query: FollowedText
    let commits: [String]
    var rereads = Int.max

    var testDescription: String { query.name }
}

private let cases = [
    LooseCase(
        tables: "CREATE TABLE Mark (id NUMERIC PRIMARY KEY NOT NULL, name TEXT NOT NULL)",
        query: FollowedText("an item by a real key", of: Mark.self, id: 3),
        commits: ["INSERT INTO Mark VALUES (3, 'a')", "UPDATE Mark SET name = 'b'", "UPDATE Mark SET id = 4"]),
    LooseCase(
        tables: """
            CREATE TABLE Hall (town TEXT NOT NULL, number INT NOT NULL, seats INT NOT NULL, PRIMARY KEY (town, number))
            """,
        query: FollowedText(
            "groups of a join by a key of two columns",
            Hall.joined(to: Hall.self) { $0.town == $1.town }.grouped { $1.number }.aggregate { hall, _ in
                hall.seats.sum()
            }),
        commits: [
            "INSERT INTO Hall VALUES ('Bonn', 1, 20), ('Bonn', 2, 30), ('Ulm', 1, 5)",
            "UPDATE Hall SET seats = 7 WHERE number = 1", "DELETE FROM Hall WHERE town = 'Ulm'",
        ]),
    LooseCase(
        tables: """
            CREATE TABLE Hall (town TEXT NOT NULL, number INT, seats INT NOT NULL, PRIMARY KEY (town, number));
            INSERT INTO Hall VALUES ('Bonn', NULL, 1), ('Bonn', 2, 2)
            """,
        query: FollowedText(
            "sum of a join by a key that contains NULL",
            Hall.joined(to: Hall.self) { $0.town == $1.town }.aggregate { _, other in other.seats.sum() }),
        commits: ["UPDATE Hall SET seats = 7 WHERE number = 2", "DELETE FROM Hall WHERE number = 2"]),
    LooseCase(
        tables: "CREATE TABLE Mark (id REAL PRIMARY KEY, name TEXT NOT NULL)",
        query: FollowedText("rows without a key", Mark.all.sorted(by: \.name).select { $0.name }),
        commits: Array(repeating: "INSERT INTO Mark (name) VALUES ('a')", count: 3) + ["DELETE FROM Mark"]),
    LooseCase(
        tables: """
            \(tables[0]); INSERT INTO Ware VALUES (1, 1, 'cheap', 0, 'a', NULL, 1, 0), (2, 1, 2, 1, 'b', NULL, 1, 0)
            """,
        query: FollowedText("sum without a strange value", Ware.all.aggregate { $0.price.sum(where: $0.isNew) }),
        commits: ["UPDATE Ware SET price = 3 WHERE id = 2", "UPDATE Ware SET isNew = 1 - isNew WHERE id = 2"]),
    LooseCase(
        tables: """
            \(tables[0]); INSERT INTO Ware VALUES (1, 1, 1, 0, 'b', NULL, 1, 0), (2, 1, 1, 0, 'c', NULL, 1, 0),
                (3, 1, 1, 0, x'61', NULL, 1, 0)
            """,
        query: FollowedText("blobs among texts", Ware.all.sorted { $0.name.localized() }.select { $0.id }),
        commits: [
            "INSERT INTO Ware VALUES (4, 1, 1, 0, 'a', NULL, 1, 0)", "UPDATE Ware SET name = 'd' WHERE id = 1",
        ]),
    LooseCase(
        tables: tables[1],
        query: FollowedText("groups of a renamed column", Ware.all.grouped { $0.name }.aggregate { $0.stock.sum() }),
        commits: [
            "INSERT INTO Ware VALUES (1, 1, 1, 0, 'a', NULL, 1, 0), (2, 1, 1, 0, 'A', NULL, 1, 0)",
            "ALTER TABLE Ware RENAME COLUMN name TO Name", "UPDATE Ware SET stock = 2 WHERE id = 2",
        ]),
    LooseCase(
        tables: tables[0],
        query: FollowedText("first different values", Ware.all.select { $0.stock }.distinct().limit(9)),
        commits: (1...9).map { "INSERT INTO Ware VALUES (\($0), \($0 % 4), 1, 0, 'a', NULL, 1, 0)" }, rereads: 1),
    LooseCase(
        tables: "\(tables[1]); ALTER TABLE Ware ADD COLUMN twice AS (stock * 2)",
        query: FollowedText("sum of a table that lost its virtual column", Ware.all.aggregate { $0.stock.sum() }),
        commits: ["ALTER TABLE Ware DROP COLUMN twice"]
            + (1...9).map { "INSERT INTO Ware VALUES (\($0), \($0 % 4), 1, 0, 'a', NULL, 1, 0)" }, rereads: 4),
]

@Suite("Live queries of tables of other programs", .timeLimit(.minutes(10))) struct LooseTableTests {

    private static let queries: [FollowedText] = [
        FollowedText("all", Ware.all),
        FollowedText("by price", Ware.where { $0.price > 2 }.sorted(by: \.price).limit(4)),
        FollowedText("new", Ware.where { $0.isNew && $0.stock >= 3 }.sorted(by: \.name)),
        FollowedText("count of a price", Ware.where { $0.price == 3 }.count),
        FollowedText("some", Ware.where { $0.stock.isIn([1, 3, 5]) }.select { ($0.id, $0.stock * 2) }),
        FollowedText(
            "by name", Ware.all.grouped { $0.name }.aggregate { ($0.stock.sum(), $0.price.max(), $0.id.count()) }),
        FollowedText("prices", Ware.all.aggregate { ($0.price.sum(), $0.price.average()) }),
        FollowedText("dear", Ware.where { $0.price * 2 > 7 }.count),
        FollowedText("pictures", Ware.where { $0.picture != nil }.count),
        FollowedText("kinds", Ware.all.select { ($0.isNew, $0.name) }.distinct()),
        FollowedText(
            "others", Ware.joined(to: Ware.self, on: \.stock).where { $1.price > 1 }.select { ($0.id, $1.price) }),
        FollowedText("of a price and older than a term", Ware.where { $0.price == 3 && $0.made < .now }.count),
        FollowedText("a name", Ware.where { $0.name == "W1" }),
        FollowedText("after a name", Ware.where { $0.name > "W1" && $0.price < 3 }.select { ($0.name, $0.stock) }),
        FollowedText("names", Ware.all.sorted(by: \.name, .descending).limit(5)),
        FollowedText("names, joined", Ware.all.sorted { $0.name ?? "w" }.offset(1).limit(3).select { $0.name }),
        FollowedText("stocks of names", Ware.where { $0.name.isIn(["w2", "W0 "]) }.aggregate { $0.stock.sum() }),
        FollowedText("least name", Ware.all.grouped { $0.isNew }.aggregate { ($0.name.min(), $0.name.max()) }),
        FollowedText("count of names", Ware.all.aggregate { $0.name.count(distinct: true) }),
        FollowedText(
            "same names", Ware.joined(to: Ware.self) { $0.name == $1.name && $1.price > 1 }.select { ($0.id, $1.id) }),
        FollowedText(
            "made", Ware.where { $0.made > Date(timeIntervalSinceReferenceDate: 4) }.sorted(by: \.made).limit(3)),
    ]

    /// A statement of another program, which stores what it likes.
    private static func statement(_ random: inout SeededGenerator) -> (sql: SQL, isStrange: Bool) {
        let (id, other) = (Int.random(in: 1...15, using: &random), Int.random(in: 0...6, using: &random))
        let name = [nil, "w1", "W1", "w2", "w2 ", "W0", "w0"][Int.random(in: 0...6, using: &random)]
        switch Int.random(in: 0..<14, using: &random) {
        case 0...3:
            return (
                """
                REPLACE INTO Ware (id, stock, price, isNew, name, picture, made, extra)
                VALUES (\(id), \(other), \(Double(other) / 2), \(other % 2), \(name), NULL, \(other), \(id))
                """, false
            )
        case 4: return ("UPDATE Ware SET price = price * 2, made = made + 0.5 WHERE id = \(id)", false)
        case 5: return ("UPDATE Ware SET stock = '5', price = \(other) WHERE id = \(id)", false)
        case 6: return ("DELETE FROM Ware WHERE id = \(id)", false)
        case 7: return ("UPDATE Ware SET extra = CASE id % 3 WHEN 0 THEN 'text' WHEN 1 THEN x'00' ELSE 1.5 END", false)
        case 8: return ("UPDATE Ware SET id = id + 20 WHERE id = \(id)", false)
        case 9: return ("UPDATE OR IGNORE Ware SET id = id - 20 WHERE id > 20", false)
        case 10: return ("UPDATE Ware SET picture = x'0102' WHERE id = \(id)", false)
        case 11: return ("UPDATE Ware SET stock = 2.5 WHERE id = \(id)", true)
        case 12: return ("UPDATE Ware SET price = 'cheap' WHERE id = \(id)", true)
        default: return ("UPDATE Ware SET picture = 7, name = x'41' WHERE id = \(id)", true)
        }
    }

    @Test("R7 A list in the order of a column's collation is updated in place", arguments: [1, 2, 4])
    func collated(table: Int) async throws {
        let folder = try TemporaryFolder()
        let repository = try folder.adopt(tables[table], Ware.self)
        let names = repository.fetchSubscription(Ware.all.sorted(by: \.name).limit(5)).map { $0.map(\.name) }.record()
        #expect(await names.values(1) == [[]])
        let before = repository.statistics
        var added: [String] = []
        for (id, name) in ["b ", "A", "b", "a\u{0}2", "C", "a\u{0}1z", "B", "a  "].enumerated() {
            let ware = Ware(id: id, stock: 1, price: 1, isNew: true, name: name, picture: nil, made: .distantPast)
            try await repository.create(ware).value()
            added.append(name)
            let fresh = try await repository.fetch(Ware.all.sorted(by: \.name).limit(5)).value().map(\.name)
            #expect(await names.last(where: { $0 == fresh }) == fresh, "\(added)")
        }
        #expect(repository.statistics.reread == before.reread)
        names.cancel()
        await closed(repository)
    }

    @Test(
        "R4 A live value equals a fresh one, or fails as it does, whatever another program stores",
        arguments: 0..<UInt64(HistoryTests.number("LOOSE") ?? 10))
    func random(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let repository = try folder.adopt(tables[Int(seed) % tables.count], Ware.self)
        var recorders = Self.queries.map { $0.follow(repository) }
        for step in 0..<60 {
            let (sql, isStrange) = Self.statement(&random)
            // A STRICT table refuses strange values.
            _ = try? await repository.transaction { try $0.execute(sql) }.value()
            _ = try? await repository.countSubscription(Ware.self).value()
            for (index, query) in Self.queries.enumerated() {
                do {
                    let fresh = try await query.fresh(repository)
                    if recorders[index].isEnded { recorders[index] = query.follow(repository) }
                    let found = await recorders[index].last(where: { $0 == fresh })
                    #expect(found == fresh, "\(query.name), seed \(seed), step \(step): \(sql)")
                } catch {
                    let end = await recorders[index].end()
                    #expect(end != nil && end != .finished, "\(query.name), seed \(seed), step \(step): \(sql)")
                }
            }
            // Strange values are taken back, so that most steps are maintained.
            if isStrange {
                try await repository.transaction { store in
                    try store.execute("DELETE FROM Ware WHERE typeof(stock) <> 'integer' OR typeof(price) = 'text'")
                    try store.execute("UPDATE Ware SET picture = NULL WHERE typeof(picture) = 'integer'")
                    try store.execute("UPDATE Ware SET name = 'z' WHERE typeof(name) = 'blob'")
                }.value()
            }
        }
        #expect(repository.statistics.reread < 60 * Self.queries.count * 3 / 4)
        for recorder in recorders { recorder.cancel() }
        await closed(repository)
    }

    @Test("R4 A live value equals a fresh one where a table differs most from a declared one", arguments: cases)
    fileprivate func differences(of loose: LooseCase) async throws {
        let folder = try TemporaryFolder()
        let entity: any Entity.Type =
            loose.tables.contains("Mark") ? Mark.self : loose.tables.contains("Hall") ? Hall.self : Ware.self
        let repository = try SQLiteRepository(adopting: folder.database(loose.tables), entities: [entity])
        let values = loose.query.follow(repository)
        _ = await values.values(1)
        for commit in loose.commits {
            try await repository.transaction { try $0.execute(SQL(unsafe: commit)) }.value()
            let fresh = try await loose.query.fresh(repository)
            let found = await values.last(where: { $0 == fresh })
            #expect(found == fresh, "\(commit)")
        }
        #expect(repository.statistics.reread <= loose.rereads)
        values.cancel()
        await closed(repository)
    }
}
