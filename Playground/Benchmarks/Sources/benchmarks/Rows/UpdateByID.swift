import Foundation
import SignalRepository

extension Catalogue {
    /// Single items that are updated by id, in one transaction.
    static var updateByID: Row {
        let films = Film.scattered(20_000).map { film in
            var film = film
            film.boxOffice += 1
            return film
        }
        return Row(
            id: "update.byId", work: "a film updated by its id, all in one transaction", operations: films.count,
            bars: [.ofRaw(1.5)],
            raw: .writing("C API", FilmTable.fill, RawStore.init) { store in
                try store.write(FilmTable.update, films) { store.bind($0, to: $1) }
            },
            ours: .writing("SignalRepository", FilmTable.fill, SQLiteRepository.init(films:)) { repository in
                try repository.transaction { store in for film in films { try store.update(film) } }.wait()
            },
            peer: .writing("GRDB records", FilmTable.fill, PeerStore.init) { store in
                try store.pool.write { database in for film in films { try film.update(database) } }
            })
    }
}
