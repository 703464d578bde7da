import GRDB
import SignalRepository

extension Catalogue {
    /// A live sum of the items that meet a computed condition, while one item after another changes.
    static var liveComputed: Row {
        let changes = 100
        let work = LiveChanges<Sale, Int>(items: 100_000, count: changes, peerCount: 20) { sales, changes in
            func part(_ sale: Sale) -> Int { sale.amount * 2 + sale.score % 7 > 500 ? sale.amount : 0 }
            var sum = sales.reduce(0) { $0 + part($1) }
            return changes.map { change in
                sum += part(change.new) - part(change.old)
                return { [sum] in $0 == sum }
            }
        }
        return Row(
            id: "live.computed", work: "one of 100k sales changes, write → sum over a computed condition",
            operations: changes, bars: [.ofPeer(1 / 20)],
            ours: work.ours { repository in
                let condition = Condition<Sale> { $0.amount * 2 + $0.score % 7 > 500 }
                return [repository.sumSubscription(of: \Sale.amount) { _ in condition }]
            },
            peer: work.peer { database in
                let sql = #"SELECT sum("amount") FROM "Sale" WHERE "amount" * 2 + "score" % 7 > 500"#
                return try Int.fetchOne(database.cachedStatement(sql: sql)) ?? 0
            })
    }
}
