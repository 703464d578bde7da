import GRDB
import SignalRepository
import Signals

extension Catalogue {
    /// Many lists of a few items each, one of which a change concerns.
    static var liveConditions: [Row] {
        [
            liveConditions(
                "live.equal10k", "one of 100k sales changes, 10k lists by owner, write → list",
                ours: { Sale.where(\.owner == $0) }, peer: { Sale.filter(Column("owner") == $0) }),
            liveConditions(
                "live.range10k", "one of 100k sales changes, 10k lists by range, write → list",
                ours: { Sale.where(\.owner >= $0 && \.owner < $0 + Int64(Sale.ownerStep)) },
                peer: { Sale.filter(Column("owner") >= $0 && Column("owner") < $0 + Int64(Sale.ownerStep)) }),
        ]
    }

    /// Both forms find the items of a list by an index.
    private static func liveConditions(
        _ id: String, _ text: String, ours: @escaping (Int64) -> FetchQuery<Sale>,
        peer: @escaping @Sendable (Int64) -> QueryInterfaceRequest<Sale>
    ) -> Row {
        let (changes, lists) = (200, 10_000)
        let work = LiveChanges<Sale, [Sale]>(
            items: 100_000, count: changes, peerCount: 3, firstValues: lists
        ) { _, changes in
            changes.map { change in { $0.contains(change.new) } }
        }
        let owners = (0..<Int64(lists)).map { $0 * Int64(Sale.ownerStep) }
        return Row(
            id: id, work: text, operations: changes, bars: [.ofPeer(1 / 500)],
            ours: work.ours { repository in owners.map { repository.fetchSubscription(ours($0)) } },
            peer: work.peer(
                following: owners.map { owner -> @Sendable (Database) throws -> [Sale] in
                    { try peer(owner).fetchAll($0) }
                }))
    }
}
