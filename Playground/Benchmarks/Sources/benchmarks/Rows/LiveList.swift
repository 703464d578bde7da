import GRDB
import SignalRepository

extension Catalogue {
    /// A live list as an array, while one item after another changes.
    static var liveList: [Row] {
        [
            liveList("1k", 1_000, changes: 50, .ofPeer(1)), liveList("10k", 10_000, changes: 20, .ofPeer(1)),
            liveList("100k", 100_000, changes: 5, .ofPeer(1 / 8)),
        ]
    }

    private static func liveList(_ name: String, _ films: Int, changes: Int, _ bar: Bar) -> Row {
        let work = LiveChanges<Film, [Film]>(items: films, count: changes) { _, changes in
            changes.map { change in { $0[change.index] == change.new } }
        }
        return Row(
            id: "live.list.\(name)", work: "one of \(name) films changes, write → list", operations: changes,
            bars: [bar], ours: work.ours { [$0.fetchSubscription(Film.all)] },
            peer: work.peer { try Film.fetchAll($0) })
    }
}
