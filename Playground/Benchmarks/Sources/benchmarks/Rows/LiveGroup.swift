import GRDB
import SignalRepository

extension Catalogue {
    /// Live sums of groups, while one item after another changes.
    static var liveGroup: Row {
        let changes = 50
        let work = LiveChanges<Sale, [Grouped<Int64, Int>]>(
            items: 1_000_000, count: changes, peerCount: 5
        ) { sales, changes in
            var sums = Dictionary(sales.map { ($0.owner, $0.amount) }, uniquingKeysWith: +)
            return changes.map { change in
                sums[change.new.owner, default: 0] += change.new.amount - change.old.amount
                let (owner, sum) = (change.new.owner, sums[change.new.owner])
                return { $0.first { $0.key == owner }?.value == sum }
            }
        }
        return Row(
            id: "live.group", work: "one of 1M sales changes, write → sums of 1,000 groups", operations: changes,
            bars: [.ofPeer(1 / 100)],
            ours: work.ours { [$0.aggregateSubscription(.sum, of: \Sale.amount, groupedBy: \.owner)] },
            // The index holds both columns in the order of the groups.
            peer: work.peer { database in
                let sql = #"SELECT "owner", sum("amount") FROM "Sale" GROUP BY "owner""#
                let rows = try GRDB.Row.fetchCursor(database.cachedStatement(sql: sql))
                return try Array(rows.map { Grouped(key: $0[0], value: $0[1]) })
            })
    }
}
