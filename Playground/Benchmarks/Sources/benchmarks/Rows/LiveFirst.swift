import Foundation
import GRDB
import SignalRepository

extension Catalogue {
    /// A live query that delivers its first value while the sink attaches, as a view needs when it opens.
    static var liveFirst: Row {
        let ids = Film.scattered(20_000).map(\.id)
        return Row(
            id: "live.first", work: "a film by its id, followed: attach, the first value at once, cancel",
            operations: ids.count, bars: [.ofPeer(1)],
            raw: .reading("C API, read", RawStore.init) { store in try ids.flatMap { try store.fetch([$0]) } },
            ours: .reading("SignalRepository, immediately()", SQLiteRepository.init(films:)) { repository in
                let found = Found()
                for id in ids {
                    repository.readSubscription(Film.self, id: id).immediately()
                        .sink(onValue: { found.add($0) }, onCompletion: { _ in }).cancel()
                }
                return found.films
            },
            peer: .reading("GRDB, .immediate", PeerStore.init) { store in
                let found = Found()
                // The program runs its rows on the main thread, which GRDB requires here.
                MainActor.assumeIsolated {
                    for id in ids {
                        ValueObservation.trackingConstantRegion { try PeerStore.film(id, $0) }
                            .start(
                                in: store.pool, scheduling: .immediate, onError: { _ in }, onChange: { found.add($0) }
                            ).cancel()
                    }
                }
                return found.films
            })
    }
}

/// The films that were found.
///
/// Unchecked but safe because every film arrives on the thread that attaches.
private final class Found: @unchecked Sendable {
    private(set) var films: [Film] = []

    func add(_ film: Film?) { if let film { films.append(film) } }
}
