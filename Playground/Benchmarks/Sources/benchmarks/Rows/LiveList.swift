import Dispatch
import GRDB
import SignalRepository

extension Catalogue {
    /// A list that is followed while one of its items changes at a time.
    static var liveList: [Row] {
        [
            liveList("1k", 1_000, changes: 50), liveList("10k", 10_000, changes: 20),
            liveList("100k", 100_000, changes: 5),
        ]
    }

    private static func liveList(_ name: String, _ films: Int, changes: Int) -> Row {
        let work = LiveChanges<[Film]>(films: films, count: changes) { films, index in
            let film = films[index]
            return { $0[index] == film }
        }
        return Row(
            id: "live.list.\(name)", work: "one of \(name) films changes, write → list", operations: changes,
            bars: [.ofPeer(1)],
            ours: work.ours { repository, listener in
                [repository.fetchSubscription(Film.all).sink(onValue: listener.hear, onCompletion: { _ in })]
            },
            peer: work.peer { pool, listener in
                let queue = DispatchQueue(label: "observer")
                let observation = ValueObservation.trackingConstantRegion { try Film.fetchAll($0) }
                return [
                    observation.start(
                        in: pool, scheduling: .async(onQueue: queue), onError: { _ in }, onChange: listener.hear)
                ]
            })
    }
}
