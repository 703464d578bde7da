import Foundation
import SignalRepository

extension Catalogue {
    /// Single items that are stored anew by their ids, in one transaction.
    static var updateByID: Row {
        let films = (0..<20_000).map { number in
            var film = Film.samples[(number * 7919 + 13) % Film.samples.count]
            film.boxOffice += 1
            return film
        }
        return Row(
            id: "update.byId", work: "a film stored anew by its id, all in one transaction", operations: films.count,
            bars: [.ofRaw(1.5)],
            raw: form("C API", RawStore.init) { store in
                try store.write(FilmTable.update, films) { store.bind($0, to: $1) }
            },
            ours: form("SignalRepository", SQLiteRepository.init(films:)) { repository in
                try repository.transaction { store in for film in films { try store.update(film) } }.wait()
            },
            peer: form("GRDB records", PeerStore.init) { store in
                try store.pool.write { database in for film in films { try film.update(database) } }
            })
    }

    private static func form<Store>(
        _ name: String, _ open: @escaping (String) throws -> Store, update: @escaping (Store) throws -> Void
    ) -> Form {
        .file(name, FilmTable.fill, open, work: update) { path, _ in try RawStore(path).fetchAll().checksum }
    }
}
