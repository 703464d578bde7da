import GRDB
import SignalRepository

extension Catalogue {
    /// Many live lists of ten items each; each change concerns one list.
    static var liveConditions: [Row] { [1_000, 10_000].map(liveEqual) + [1_000, 10_000].map(liveRange) }

    private static func liveEqual(_ lists: Int) -> Row {
        liveConditions(
            "equal", lists, "by owner", ours: { owner in Sale.where { $0.owner == owner } },
            peer: { Sale.filter(Column("owner") == $0) })
    }

    private static func liveRange(_ lists: Int) -> Row {
        let step = Int64(Sale.ownerStep)
        return liveConditions(
            "range", lists, "by range",
            ours: { first in Sale.where { $0.owner >= first && $0.owner < first + step } },
            peer: { Sale.filter(Column("owner") >= $0 && Column("owner") < $0 + step) })
    }

    /// Makes a row whose forms both find the items of a list by an index.
    ///
    /// GRDB takes seconds for a change, so it makes only one, and only in the row with the most lists.
    private static func liveConditions(
        _ kind: String, _ lists: Int, _ text: String, ours: @escaping (Int64) -> FetchQuery<Sale>,
        peer: @escaping @Sendable (Int64) -> QueryInterfaceRequest<Sale>
    ) -> Row {
        let (changes, isLargest) = (200, lists == 10_000)
        let work = LiveChanges<Sale, [Sale]>(
            items: 100_000, count: changes, peerCount: 1, firstValues: lists
        ) { _, changes in
            changes.map { change in { $0.contains(change.new) } }
        }
        // The owners are in the order in which their sales change, so that each change concerns a list.
        let owners = (0..<lists).map { Int64(LiveChanges<Sale, [Sale]>.index(of: $0, among: 10_000) * Sale.ownerStep) }
        let fetches = owners.map { owner -> @Sendable (Database) throws -> [Sale] in { try peer(owner).fetchAll($0) } }
        return Row(
            id: "live.\(kind)\(lists / 1_000)k",
            work: "one of 100k sales changes, \(lists / 1_000)k lists \(text), write → list", operations: changes,
            bars: isLargest ? [.ofPeer(1 / 500)] : [],
            ours: work.ours { repository in owners.map { repository.fetchSubscription(ours($0)) } },
            peer: isLargest ? work.peer(following: fetches) : nil)
    }
}
