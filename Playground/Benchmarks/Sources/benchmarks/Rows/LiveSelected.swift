import GRDB
import SignalRepository

// Live selections and counts, while one sale after another changes; the peer runs each query again.
extension Catalogue {
    static var liveSelected: [Row] { [liveSelect, liveDistinct, liveJoinCount, liveGroupTop] }

    private static var liveSelect: Row {
        let query = Sale.where { $0.amount > 500 }.sorted(by: \.score, .descending)
            .select { ($0.score, $0.amount * 2) }.limit(100)
        return following(
            "live.select", "two terms of the 100 highest by score",
            ours: { $0.fetchSubscription(query).map { rows in rows.map { [$0.0, $0.1] } } },
            peer: { database in
                let sql = """
                    SELECT "score", "amount" * 2 FROM "Sale" WHERE "amount" > 500 ORDER BY "score" DESC LIMIT 100
                    """
                let rows = try GRDB.Row.fetchCursor(database.cachedStatement(sql: sql))
                return try Array(rows.map { [$0[0], $0[1]] })
            }
        ) { (_: [Sale], changes) in
            changes.map { change in { $0.first == [change.new.score, change.new.amount * 2] } }
        }
    }

    private static var liveDistinct: Row {
        let query = Sale.all.sorted(by: \.amount, .descending).select { $0.amount }.distinct()
        return following(
            "live.distinct", "the distinct amounts",
            ours: { $0.fetchSubscription(query) },
            peer: { database in
                try Int.fetchAll(
                    database.cachedStatement(sql: #"SELECT DISTINCT "amount" FROM "Sale" ORDER BY "amount" DESC"#))
            }
        ) { (_: [Sale], changes) in
            changes.map { change in { $0.first == change.new.amount } }
        }
    }

    private static var liveGroupTop: Row {
        let query = Sale.all.grouped { $0.id }.sorted(.descending) { $0.score.sum() }.aggregate { $0.score.sum() }
        return following(
            "live.group.top", "the ten greatest sums of 100,000 groups", bar: 1,
            ours: { $0.fetchSubscription(query.limit(10)).map { sums in sums.map { $0.1 } } },
            peer: { database in
                let sql = #"SELECT sum("score") FROM "Sale" GROUP BY "id" ORDER BY 1 DESC LIMIT 10"#
                return try Int.fetchAll(database.cachedStatement(sql: sql))
            }
        ) { (_: [Sale], changes) in
            changes.map { change in { $0.first == change.new.score } }
        }
    }

    private static var liveJoinCount: Row {
        let query = Sale.joined(to: Sale.self, on: \.owner).where { sale, _ in sale.score > 2_999_999_999 }.count
        return following(
            "live.join.count", "how many sales by score, joined with another",
            ours: { $0.follow(query) },
            peer: { database in
                let sql = """
                    SELECT count(*) FROM "Sale" AS "one" JOIN "Sale" AS "other" ON "other"."id" = "one"."owner"
                    WHERE "one"."score" > 2999999999
                    """
                return try Int.fetchOne(database.cachedStatement(sql: sql)) ?? 0
            }
        ) { (_: [Sale], changes) in
            // Each change concerns a different sale, which has an owner.
            changes.indices.map { index in { $0 == index + 1 } }
        }
    }
}
