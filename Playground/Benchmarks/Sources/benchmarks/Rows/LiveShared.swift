import Dispatch
import GRDB
import SignalRepository

extension Catalogue {
    /// Many sinks that follow the same sum.
    static var liveShared: Row {
        let (changes, sinks) = (20, 10_000)
        let work = LiveChanges(sumOf: 1_000, count: changes, sinks: sinks)
        return Row(
            id: "live.shared10k", work: "one of 1k sales changes, write → 10k sinks of one sum, per sink",
            operations: changes * sinks, bars: [.perOperation(1e-6)],
            ours: work.ours { repository in
                (0..<sinks).map { _ in repository.sumSubscription(of: \Sale.amount) }
            },
            // GRDB's counterpart is a shared observation.
            peer: work.peer { pool, listener in
                let shared = ValueObservation.trackingConstantRegion(PeerSales.sum)
                    .shared(in: pool, scheduling: .async(onQueue: DispatchQueue(label: "observer")))
                return (0..<sinks).map { _ in shared.start(onError: { _ in }, onChange: listener.hear) }
            })
    }
}
