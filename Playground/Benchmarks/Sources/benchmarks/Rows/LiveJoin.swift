import GRDB
import SignalRepository

/// A sale with the sale to which it refers: its owner's number is read as the id of another sale.
struct SalePair: Sendable, Equatable {
    let sale: Sale
    let owner: Sale?
}

// Live lists in which each item is read with another one. The sort order has no index, so a re-read reads all rows.
extension Catalogue {
    static var liveLinked: [Row] { [liveJoin, liveIncluding] }

    private static var liveJoin: Row {
        let query = Sale.joined(to: Sale.self, on: \.owner).sorted(.descending) { sale, _ in sale.score }.limit(100)
        return linked(
            "live.join", "joined with another",
            ours: { $0.fetchSubscription(query).map { $0.map { SalePair(sale: $0.left, owner: $0.right) } } },
            peer: { database in
                let sql = """
                    SELECT "one".*, "other".* FROM "Sale" AS "one"
                    JOIN "Sale" AS "other" ON "other"."id" = "one"."owner" ORDER BY "one"."score" DESC LIMIT 100
                    """
                let rows = try GRDB.Row.fetchCursor(database.cachedStatement(sql: sql))
                return try Array(rows.map { SalePair(sale: Sale(row: $0), owner: Sale(row: $0, from: 5)) })
            })
    }

    private static var liveIncluding: Row {
        let query = Sale.all.including(parent: Sale.all, by: \.owner).sorted(by: \.score, .descending).limit(100)
        return linked(
            "live.including", "including another",
            ours: { $0.fetchSubscription(query).map { $0.map { SalePair(sale: $0.item, owner: $0.included) } } },
            peer: { database in
                let sales = try Sale.order(Column("score").desc).limit(100).fetchAll(database)
                let owners = try Sale.fetchAll(database, keys: Set(sales.map(\.owner)))
                let known = Dictionary(uniqueKeysWithValues: owners.map { ($0.id, $0) })
                return sales.map { SalePair(sale: $0, owner: known[$0.owner]) }
            })
    }

    private static func linked(
        _ id: String, _ text: String,
        ours: @escaping (SQLiteRepository) -> Signal<[SalePair], RepositoryError>,
        peer: @escaping @Sendable (Database) throws -> [SalePair]
    ) -> Row {
        following(id, "the 100 highest by score, each \(text)", ours: ours, peer: peer) { _, changes in
            changes.map { change in { $0.first?.sale == change.new } }
        }
    }
}

extension Sale {
    /// Reads the sale from the columns of a row that begin at `index`.
    fileprivate init(row: GRDB.Row, from index: Int) {
        self.init(
            id: row[index], owner: row[index + 1], amount: row[index + 2], score: row[index + 3],
            title: row[index + 4])
    }
}
