import GRDB
import SignalRepository

extension Catalogue {
    /// Single items, each stored in its own transaction that is not synchronized to the disk.
    static var writeApart: [Row] {
        let films = Array(Film.samples.prefix(5_000))
        let changed = films.map { film in
            var film = film
            film.boxOffice += 1
            return film
        }
        return [
            row(
                "create.apart", "a film stored, each a transaction", films, FilmTable.create, FilmTable.insert,
                ours: { _ = try $0.create($1).wait() }, peer: { film, database in try film.insert(database) }),
            row(
                "update.apart", "a film updated, each a transaction", changed, FilmTable.fill, FilmTable.update,
                ours: { _ = try $0.update($1).wait() }, peer: { film, database in try film.update(database) }),
        ]
    }

    private static func row(
        _ id: String, _ work: String, _ films: [Film], _ fill: @escaping (String) throws -> Void, _ sql: String,
        ours: @escaping (SQLiteRepository, Film) throws -> Void,
        peer: @escaping (Film, GRDB.Database) throws -> Void
    ) -> Row {
        func form<Store>(
            _ name: String, _ open: @escaping (String) throws -> Store, _ write: @escaping (Store, Film) throws -> Void
        ) -> Form {
            .writing(name, fill, open) { store in for film in films { try write(store, film) } }
        }
        return Row(
            id: id, work: work + ", by wait()", operations: films.count, bars: [.ofPeer(1)],
            raw: form("C API", RawStore.init) { store, film in
                try store.writeOne(sql) { store.bind(film, to: $0) }
            },
            ours: form("SignalRepository", SQLiteRepository.init(films:), ours),
            peer: form("GRDB records", PeerStore.init) { store, film in
                try store.pool.write { try peer(film, $0) }
            })
    }
}
