import GRDB
import SignalRepository

extension Catalogue {
    /// A live sum, while one item after another changes.
    static var liveSum: [Row] {
        [
            liveSum("1k", 1_000, changes: 200, bars: [.ofPeer(1)]),
            liveSum("100k", 100_000, changes: 100, bars: [.ofPeer(1 / 50)]),
            liveSum("1M", 1_000_000, changes: 100, peerChanges: 10, bars: [.ofPeer(1 / 50)]),
        ]
    }

    static func liveSum(
        _ name: String, _ items: Int, changes: Int, peerChanges: Int? = nil, bars: [Bar] = []
    ) -> Row {
        var work = LiveChanges(sumOf: items, count: changes)
        work.peerCount = peerChanges
        return Row(
            id: "live.sum.\(name)", work: "one of \(name) sales changes, write → sum", operations: changes, bars: bars,
            ours: work.ours { [$0.sumSubscription(of: \Sale.amount)] }, peer: work.peer(PeerSales.sum))
    }
}

/// The peer's reads of the sales, each by the fastest kind of statement.
enum PeerSales {
    /// Reads the sum with a cached statement, which reads only the index.
    static let sum: @Sendable (Database) throws -> Int = { database in
        try Int.fetchOne(database.cachedStatement(sql: #"SELECT sum("amount") FROM "Sale""#)) ?? 0
    }

    /// Returns a read by key, which lets GRDB observe a single row.
    static func sale(_ id: Int64) -> @Sendable (Database) throws -> Sale? {
        { try Sale.fetchOne($0, key: id) }
    }
}
