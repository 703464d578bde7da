import SignalRepository

extension ImportCounts {
    /// Finds the films of a batch in the store by their ids, in one pass, and writes those that are new or differ.
    ///
    /// A film that occurs twice in the batch is merged twice: the last row wins.
    init(merging films: [Film], into store: WriteTransaction) throws {
        self.init()
        var known: [Film.ID: Film] = [:]
        for film in try store.fetch(Film.where { $0.id.isIn(Array(Set(films.map(\.id)))) }) { known[film.id] = film }
        var added: [Film.ID] = []
        var changed: Set<Film.ID> = []
        let stored = known
        for film in films {
            let before = known.updateValue(film, forKey: film.id)
            if before == nil {
                imported += 1
                added.append(film.id)
            } else if before == film {
                unchanged += 1
            } else {
                updated += 1
                if stored[film.id] != nil { changed.insert(film.id) }
            }
        }
        try store.insert(added.compactMap { known[$0] })
        for id in changed {
            if let film = known[id] { try store.update(film) }
        }
    }
}
