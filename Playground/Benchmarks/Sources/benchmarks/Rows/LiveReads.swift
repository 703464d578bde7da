import Dispatch
import GRDB
import SignalRepository

extension Catalogue {
    /// Many items that are followed each by itself, while one of them changes at a time.
    static var liveReads: Row {
        let (films, changes) = (10_000, 10)
        let work = LiveChanges<Film>(films: films, count: changes, firstValues: films) { films, index in
            let film = films[index]
            return { $0 == film }
        }
        return Row(
            id: "live.reads10k", work: "one of 10k films changes, each followed, write → film", operations: changes,
            bars: [.ofPeer(1)],
            ours: work.ours { repository, listener in
                Film.samples.prefix(films).map { film in
                    repository.readSubscription(Film.self, id: film.id)
                        .sink(onValue: { film in film.map(listener.hear) }, onCompletion: { _ in })
                }
            },
            // By row number, the one kind of key by which GRDB can tell observers apart; by id each change makes
            // it read all of them, which takes seconds.
            peer: work.peer { pool, listener in
                let queue = DispatchQueue(label: "observer")
                return (1...Int64(films)).map { row in
                    ValueObservation.trackingConstantRegion { try Film.filter(Column.rowID == row).fetchOne($0) }
                        .start(
                            in: pool, scheduling: .async(onQueue: queue), onError: { _ in },
                            onChange: { film in film.map(listener.hear) })
                }
            })
    }
}
