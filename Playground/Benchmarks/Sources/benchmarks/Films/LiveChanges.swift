import GRDB
import SignalRepository
import Signals

/// The work of the live rows: films change one by one, and each change is waited for where it is heard.
struct LiveChanges<Value: Sendable> {
    /// How many films there are.
    let films: Int
    /// How many of them change.
    let count: Int
    /// How many values come before the first change.
    var firstValues = 1
    /// Makes the test for the value that shows the change of the film with the index.
    let shows: (_ films: [Film], _ index: Int) -> (Value) -> Bool

    /// A form that changes films through the repository.
    func ours(_ follow: @escaping (SQLiteRepository, Listener<Value>) -> [SignalToken]) -> Form {
        form("SignalRepository", SQLiteRepository.init(films:)) { repository, listener in
            let tokens = follow(repository, listener)
            return Following(
                change: { film in _ = try repository.update(film).wait() },
                stop: { for token in tokens { token.cancel() } })
        }
    }

    /// A form that changes films through GRDB.
    func peer(_ follow: @escaping (DatabasePool, Listener<Value>) -> [AnyDatabaseCancellable]) -> Form {
        form("GRDB", PeerFilmStore.init) { store, listener in
            let tokens = follow(store.pool, listener)
            return Following(
                change: { film in try store.pool.write { try film.update($0) } },
                stop: { for token in tokens { token.cancel() } })
        }
    }

    private struct Following {
        let change: (Film) throws -> Void
        let stop: () -> Void
    }

    private func form<Store>(
        _ name: String, _ open: @escaping (String) throws -> Store,
        _ follow: @escaping (Store, Listener<Value>) -> Following
    ) -> Form {
        Form(name) { meter in
            try TemporaryFolder.withFile { path in
                var films = Array(Film.samples.prefix(self.films))
                try FilmTable.create(path)
                try RawFilmStore(path).insert(films)
                let listener = Listener<Value>(first: firstValues)
                let following = follow(try open(path), listener)
                defer { following.stop() }
                listener.wait()
                for number in 0..<count {
                    // Spread over all of them.
                    let index = (number * 7919 + 13) % films.count
                    films[index].title = "Changed \(number)"
                    films[index].boxOffice = Amount.decimal(Int64(number))
                    listener.expect(shows(films, index))
                    try meter.time {
                        try following.change(films[index])
                        listener.wait()
                    }
                }
                return films.checksum
            }
        }
    }
}
