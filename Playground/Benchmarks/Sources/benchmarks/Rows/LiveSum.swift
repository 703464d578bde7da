import Dispatch
import Foundation
import GRDB
import SignalRepository

extension Catalogue {
    /// A sum that is followed while one of its items changes at a time.
    static var liveSum: Row {
        let changes = 20
        let work = LiveChanges<Int64>(films: 100_000, count: changes) { films, _ in
            let sum = films.reduce(0) { $0 + Amount.scaled($1.boxOffice) }
            return { $0 == sum }
        }
        return Row(
            id: "live.sum", work: "one of 100k films changes, write → sum", operations: changes, bars: [.ofPeer(1)],
            ours: work.ours { repository, listener in
                [
                    repository.sumSubscription(of: \Film.boxOffice)
                        .sink(onValue: { listener.hear(Amount.scaled($0)) }, onCompletion: { _ in })
                ]
            },
            peer: work.peer { pool, listener in
                let queue = DispatchQueue(label: "observer")
                let observation = ValueObservation.trackingConstantRegion { database in
                    try Int64.fetchOne(database, sql: #"SELECT sum("boxOffice") FROM "Film""#) ?? 0
                }
                return [
                    observation.start(
                        in: pool, scheduling: .async(onQueue: queue), onError: { _ in }, onChange: listener.hear)
                ]
            })
    }
}
