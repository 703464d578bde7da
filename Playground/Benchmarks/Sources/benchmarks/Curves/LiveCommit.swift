import GRDB
import SignalRepository

extension Catalogue {
    /// A commit that changes some of 100,000 rows in one statement, while a sum of them is followed.
    static func liveCommit(_ id: String, rows: Int, bars: [Bar] = []) -> Row {
        let (commits, last) = (10, Int64(rows))
        // Each commit gives all changed rows a new score.
        let work = LiveChanges<Sale, Int>(items: 100_000, count: commits) { sales, changes in
            let rest = sales.dropFirst(rows).reduce(0) { $0 + $1.score }
            return changes.map { change in { $0 == rest + rows * change.new.score } }
        }
        return Row(
            id: id, work: "\(rows) of 100k sales change in a commit, write → sum",
            operations: commits, bars: bars,
            ours: work.ours {
                [$0.sumSubscription(of: \Sale.score)]
            } change: { repository, sale in
                _ = try repository.update(Sale.self, set: [.set(\.score, to: sale.score)]) { $0.id <= last }.wait()
            },
            peer: work.peer { database in
                try Int.fetchOne(database.cachedStatement(sql: #"SELECT sum("score") FROM "Sale""#)) ?? 0
            } change: { database, sale in
                try Sale.filter(Column("id") <= last).updateAll(database, Column("score").set(to: sale.score))
            })
    }
}
