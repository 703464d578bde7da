import Foundation
import Hummingbird
import SignalRepository

/// What a client sends to sync: what it has changed, and how far it has heard of the server's changes.
struct SyncCall: Codable {
    /// The client's name, by which its own changes are told from those of others.
    let client: String
    let since: HistoryToken
    let changes: FilmChanges
}

/// What the server answers: what others have changed, and what of the client's changes it has not taken.
struct SyncAnswer: Codable {
    var changes: FilmChanges
    /// The films that both sides have changed, of which the server's are kept.
    let conflicts: Set<UUID>
}

extension FilmRoutes {
    /// Takes in what a client has changed, and answers what others have, in one transaction.
    ///
    /// A client that has got no answer sends the same again: what it sent is there already, and is written once more.
    func sync(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let call = try await request.decode(as: SyncCall.self, context: context)
        let author = "sync \(call.client)"
        var answer = try await repository.transaction(author: author) { store in
            var theirs = try store.filmChanges(since: call.since, notBy: author)
            // Where it is not known what has changed here, what is the same on both sides is no conflict.
            let same = theirs.isEverything ? theirs.changed.filter(call.changes.changed.contains).map(\.id) : []
            let conflicts = theirs.ids.intersection(call.changes.ids).subtracting(same)
            try store.take(call.changes, except: conflicts)
            if theirs.isEverything { theirs.changed = try store.fetch(Film.all) }
            return SyncAnswer(changes: theirs, conflicts: conflicts)
        }.value()
        let token = answer.changes.token
        answer.changes.token = try await repository.read { try $0.token(after: token, by: author) }.value()
        return try .json(answer)
    }
}
