import GRDB
import SignalRepository

/// The entity of the live rows with many items: its key is an integer, so GRDB can observe a single row.
struct Sale: Sendable, Equatable, Identifiable {
    let id: Int64
    /// One of 10,000 owners, or of 1,000 when there are a million sales.
    var owner: Int64
    var amount: Int
    /// A number that no other sale has.
    var score: Int
    var title: String
}

extension Sale: LiveItem {
    // The index holds everything that a sum by owner needs, so that the peer reads as little as it can.
    static let schema = Schema(
        Column("id", \Sale.id), Column("owner", \.owner), Column("amount", \.amount), Column("score", \.score),
        Column("title", \.title), indexed: [[\Sale.owner, \.amount]], make: Sale.init)

    /// The gap between the numbers of two owners, so that a range can hold exactly one owner.
    static let ownerStep = 10

    static func first(_ count: Int) -> [Sale] {
        let owners = owners(count)
        return (0..<count).map { index in
            Sale(
                id: Int64(index + 1), owner: Int64(index % owners * ownerStep), amount: index % 1_000,
                score: (index + 1) * 48_271 % 2_147_483_647, title: "Sale \(index)")
        }
    }

    /// Fills the table with the sales of `first(_:)`, in one statement.
    static func fill(_ path: String, _ count: Int) throws {
        let store = try RawStore(path)
        try store.execute("PRAGMA cache_size = -400000")
        try store.execute(
            """
            WITH RECURSIVE "n" ("i") AS (SELECT 0 UNION ALL SELECT "i" + 1 FROM "n" WHERE "i" + 1 < \(count))
            INSERT INTO "Sale" ("id", "owner", "amount", "score", "title")
            SELECT "i" + 1, "i" % \(owners(count)) * \(ownerStep), "i" % 1000, ("i" + 1) * 48271 % 2147483647,
                'Sale ' || "i" FROM "n"
            """)
    }

    private static func owners(_ count: Int) -> Int { count < 1_000_000 ? 10_000 : 1_000 }

    func changed(_ number: Int) -> Sale {
        // The score is above all others, so that the item moves to the top of a list by score.
        Sale(
            id: id, owner: owner, amount: 1_000 + number, score: 3_000_000_000 + number,
            title: "Changed \(number)")
    }

    static func checksum(_ items: [Sale]) -> Int {
        items.reduce(0) { sum, sale in
            var checksum = Checksum()
            for number in [Int(sale.id), Int(sale.owner), sale.amount, sale.score] { checksum.combine(number) }
            checksum.combine(sale.title)
            return sum &+ checksum.value
        }
    }
}

// Hand-written, without Codable, as GRDB's guide on performance recommends.
extension Sale: FetchableRecord, PersistableRecord {
    static let databaseTableName = "Sale"

    init(row: GRDB.Row) {
        self.init(id: row[0], owner: row[1], amount: row[2], score: row[3], title: row[4])
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["owner"] = owner
        container["amount"] = amount
        container["score"] = score
        container["title"] = title
    }
}
