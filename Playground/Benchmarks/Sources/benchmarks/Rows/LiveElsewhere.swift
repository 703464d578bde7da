import Dispatch
import GRDB
import SignalRepository

extension Catalogue {
    /// A commit while many items of another table are followed; the raw form follows none.
    static var liveElsewhere: Row {
        let (changes, items) = (200, 10_000)
        return Row(
            id: "live.elsewhere10k", work: "one of 1k films changes, 10k sales followed by id, write",
            operations: changes, bars: [.ofRaw(1.2)], raw: ours("none followed", changes, following: 0),
            ours: ours("SignalRepository", changes, following: items), peer: peer(changes, following: items))
    }

    private static func ours(_ name: String, _ changes: Int, following items: Int) -> Form {
        form(name, changes, items, SQLiteRepository.init(live:)) { repository, listener in
            let tokens = (0..<Int64(items)).map { index in
                repository.readSubscription(Sale.self, id: index + 1)
                    .sink(onValue: listener.hear, onCompletion: { _ in })
            }
            return { film in
                _ = try repository.update(film).wait()
                withExtendedLifetime(tokens) {}
            }
        }
    }

    private static func peer(_ changes: Int, following items: Int) -> Form {
        form("GRDB", changes, items, PeerStore.init) { store, listener in
            let queue = DispatchQueue(label: "observer")
            let tokens = (0..<Int64(items)).map { index in
                ValueObservation.trackingConstantRegion(PeerSales.sale(index + 1))
                    .start(
                        in: store.pool, scheduling: .async(onQueue: queue), onError: { _ in }, onChange: listener.hear)
            }
            return { film in
                try store.pool.write { try film.update($0) }
                withExtendedLifetime(tokens) {}
            }
        }
    }

    /// A form that changes films one by one, and waits only for the writes.
    private static func form<Store>(
        _ name: String, _ changes: Int, _ items: Int, _ open: @escaping (String) throws -> Store,
        follow: @escaping (Store, Listener<Sale?>) -> (Film) throws -> Void
    ) -> Form {
        Form(name) { meter in
            try TemporaryFolder.withFile { path in
                try LiveTables.create(path)
                try Film.fill(path, 1_000)
                try Sale.fill(path, 10_000)
                let listener = Listener<Sale?>(first: items)
                let change = follow(try open(path), listener)
                if items > 0 { listener.wait() }
                let films = Film.first(1_000)
                Load.settle()
                try change(films[0].changed(0))
                Load.settle()
                for number in 1...changes {
                    let film = films[number].changed(number)
                    try meter.time { try change(film) }
                }
                return try RawStore(path).fetchAll().checksum
            }
        }
    }
}
