import GRDB
import SignalRepository

extension Catalogue {
    /// A live list of the highest items by a column without an index; each change enters at the top.
    static var liveTop: Row {
        let changes = 50
        let work = LiveChanges<Sale, [Sale]>(items: 1_000_000, count: changes, peerCount: 5) { _, changes in
            changes.map { change in { $0.first == change.new } }
        }
        return Row(
            id: "live.top100", work: "one of 1M sales changes, write → the 100 highest by score, no index",
            operations: changes, bars: [.ofPeer(1 / 100)],
            ours: work.ours { [$0.fetchSubscription(Sale.all.sorted(by: \.score, .descending).limit(100))] },
            peer: work.peer { try Sale.order(Column("score").desc).limit(100).fetchAll($0) })
    }
}
