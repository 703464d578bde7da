import GRDB
import SignalRepository

extension Catalogue {
    /// Many items, each followed by its own query, while one item after another changes.
    static var liveReads: [Row] {
        [
            liveReads("1k", 1_000, changes: 200, peerChanges: 20),
            liveReads("10k", 10_000, changes: 200, peerChanges: 10, bars: [.ofPeer(1 / 150)]),
            // So many observers take the peer minutes.
            liveReads("100k", 100_000, changes: 200, hasPeer: false),
        ]
    }

    static func liveReads(
        _ name: String, _ items: Int, changes: Int, peerChanges: Int? = nil, bars: [Bar] = [], hasPeer: Bool = true
    ) -> Row {
        let work = LiveChanges<Sale, Sale?>(eachOf: items, count: changes, peerCount: peerChanges)
        let ids = 1...Int64(items)
        return Row(
            id: "live.reads\(name)", work: "one of \(name) sales changes, each followed by id, write → sale",
            operations: changes, bars: bars,
            ours: work.ours { repository in ids.map { repository.readSubscription(Sale.self, id: $0) } },
            peer: hasPeer ? work.peer(following: ids.map(PeerSales.sale)) : nil)
    }
}
