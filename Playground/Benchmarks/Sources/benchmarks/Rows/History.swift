import SignalRepository

extension Catalogue {
    /// The cost of keeping a store's history; the raw form is the same store without a history.
    static var history: [Row] {
        let kept = StoreHistory.kept(for: .seconds(86_400))
        let undoable = StoreHistory.kept(for: .seconds(86_400), isUndoable: true)
        let films = Array(Film.samples.prefix(5_000))
        return [
            batch("history.insert.batch", kept), batch("history.insert.batch.undoable", undoable),
            single("history.create", "a film created by itself", films, kept, FilmTable.create, create),
            single("history.update", "a film updated by itself", films, kept, FilmTable.fill, update),
            single(
                "history.update.undoable", "a film updated by itself, with its old values", films, undoable,
                FilmTable.fill, update),
            single(
                "history.create.unsynced", "a film created by itself, not synchronized", films, kept, FilmTable.create,
                durability: .normal, create),
        ]
    }

    private static func create(_ repository: SQLiteRepository, _ film: Film) throws {
        _ = try repository.create(film).wait()
    }

    private static func update(_ repository: SQLiteRepository, _ film: Film) throws {
        var film = film
        film.boxOffice += 1
        _ = try repository.update(film).wait()
    }

    private static func batch(_ id: String, _ history: StoreHistory) -> Row {
        func form(_ name: String, _ history: StoreHistory) -> Form {
            .writing(name, FilmTable.create) { path in
                try SQLiteRepository(films: path, history: history)
            } work: { repository in
                _ = try repository.insert(Film.samples).wait()
            }
        }
        return Row(
            id: id, work: "200,000 films in one transaction, kept in the history, per film", operations: 200_000,
            bars: [.ofRaw(1.25)], raw: form("no history", .none), ours: form("SignalRepository", history))
    }

    /// Single commits, by default with full durability: each is on the disk before it is acknowledged.
    private static func single(
        _ id: String, _ work: String, _ films: [Film], _ history: StoreHistory,
        _ fill: @escaping (String) throws -> Void, durability: StoreDurability = .full,
        _ write: @escaping (SQLiteRepository, Film) throws -> Void
    ) -> Row {
        func form(_ name: String, _ history: StoreHistory) -> Form {
            .writing(name, fill) { path in
                try SQLiteRepository(films: path, durability: durability, history: history)
            } work: { repository in
                for film in films { try write(repository, film) }
            }
        }
        return Row(
            id: id, work: work + ", kept in the history", operations: films.count,
            bars: durability == .full ? [.ofRaw(1.15)] : [],
            raw: form("no history", .none), ours: form("SignalRepository", history))
    }
}
