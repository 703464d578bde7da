import Foundation
import SignalRepository

/// What has changed on one side since the other one has heard of it last.
struct FilmChanges: Codable, Equatable {
    /// The films that were changed, as they are now.
    var changed: [Film]
    var deleted: Set<UUID>
    /// Whether it is not known what was changed: `changed` is then all that there is.
    var isEverything: Bool
    /// Where the next changes begin.
    var token: HistoryToken

    /// The films that it is about.
    var ids: Set<UUID> { deleted.union(changed.map(\.id)) }
}

extension ReadTransaction {
    /// What was changed since a token, but for what an author did: that one knows it.
    func filmChanges(since token: HistoryToken, notBy author: String) throws -> FilmChanges {
        var (ids, now, isKnown) = (Set<UUID>(), token, true)
        for entry in try history(since: token) {
            now = entry.token
            guard entry.extent == .rows else {
                isKnown = false
                continue
            }
            guard entry.author != author else { continue }
            ids.formUnion(try entry.inserted(of: Film.self) + entry.updated(of: Film.self))
            ids.formUnion(try entry.deleted(of: Film.self))
        }
        let films = try fetch(isKnown ? Film.where(.isIn(\.id, Array(ids))) : Film.all)
        return FilmChanges(
            changed: films, deleted: isKnown ? ids.subtracting(films.map(\.id)) : [], isEverything: !isKnown, token: now
        )
    }

    /// Moves a token on over what an author alone has done since: it is this store's then, even if that is all it has.
    func token(after token: HistoryToken, by author: String) throws -> HistoryToken {
        try history(since: token).prefix { $0.author == author }.last?.token ?? token
    }
}

extension WriteTransaction {
    /// Takes changes in, but for some films.
    func take(_ changes: FilmChanges, except kept: Set<UUID>) throws {
        preservesTimes = true
        for film in changes.changed where !kept.contains(film.id) { try upsert(film) }
        try delete(Film.self, where: .isIn(\.id, Array(changes.deleted.subtracting(kept))))
    }
}
