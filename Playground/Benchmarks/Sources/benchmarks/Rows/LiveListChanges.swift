import GRDB
import SignalRepository

extension Catalogue {
    /// A live list with its changes.
    static var liveListChanges: [Row] {
        [
            liveListChanges("1k", 1_000, changes: 200),
            liveListChanges("100k", 100_000, changes: 100, peerChanges: 10, bars: [.ofPeer(1 / 200)]),
            liveListChanges("1M", 1_000_000, changes: 100, peerChanges: 3),
        ]
    }

    /// Makes a row in which the peer delivers an array alone, without computing its changes.
    static func liveListChanges(
        _ name: String, _ items: Int, changes: Int, peerChanges: Int? = nil, bars: [Bar] = []
    ) -> Row {
        let work = LiveChanges<Sale, HeardList>(items: items, count: changes, peerCount: peerChanges) { _, changes in
            changes.map { change in
                // One removal and one insertion.
                { $0.changes == 2 && $0.item(change.index) == change.new }
            }
        }
        return Row(
            id: "live.list.changes.\(name)", work: "one of \(name) sales changes, write → list and its changes",
            operations: changes, bars: bars,
            ours: work.ours { repository in
                [
                    repository.listSubscription(Sale.all).map { update in
                        let (items, isFirst) = (update.items, update.before.isEmpty)
                        return HeardList(changes: isFirst ? 0 : update.changes.count) { items[$0] }
                    }
                ]
            },
            peer: work.peer { database in
                let items = try Sale.fetchAll(database)
                return HeardList(changes: 2) { items[$0] }
            })
    }
}

/// A list of either form, with the number of changes that came with it.
private struct HeardList: Sendable {
    let changes: Int
    let item: @Sendable (Int) -> Sale
}
