import Foundation
import SignalRepository

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How far a store has come with its server: an item of the store, so that it is there with what it speaks of.
package struct SyncState: Entity, Equatable {
    package let id: Int
    /// Up to where the server has the store's own changes.
    var mine = HistoryToken.beginning
    /// Up to where the store has the server's.
    var theirs = HistoryToken.beginning

    package static let schema = Schema(
        Column("id", \SyncState.id), Column("mine", json: \.mine), Column("theirs", json: \.theirs),
        make: SyncState.init)
}

/// Brings a store and a server to the same films.
package struct FilmSync: Sendable {
    /// What one sync has done.
    package struct Outcome: Sendable, Equatable {
        /// How many films were sent, and received.
        package let sent, received: Int
        /// Those that both sides had changed: the server's are here now.
        package let conflicts: Set<UUID>
    }

    private let repository: SQLiteRepository
    private let server: URL
    private let client: String

    /// - Parameters:
    ///   - repository: A store of films and of the sync's state, which keeps a history.
    ///   - server: Where the server has its films.
    ///   - client: A name that no other client has.
    package init(_ repository: SQLiteRepository, with server: URL, as client: String) {
        (self.repository, self.server, self.client) = (repository, server, client)
    }

    /// Sends what was changed here, and takes in what was changed there.
    ///
    /// Nothing is kept of one that fails: the next one does its work.
    package func run() async throws -> Outcome {
        var sendsAll = false
        while true {
            switch try await attempt(sendsAll) {
            case .done(let outcome): return outcome
            case .changedMeanwhile: continue
            case .unknown: sendsAll = true
            }
        }
    }

    private enum Attempt {
        case done(Outcome)
        /// Somebody has changed what was received: that has to be told to the server first.
        case changedMeanwhile
        /// The server does not know what it has from here, since it is another one, or was restored from a copy. What
        /// it lacks it has to be sent, and nothing is deleted.
        case unknown
    }

    private func attempt(_ sendsAll: Bool) async throws -> Attempt {
        let (state, mine) = try await repository.read { store in
            let state = try store.fetch(SyncState.all).first ?? SyncState(id: 0)
            var mine = try store.filmChanges(since: state.mine, notBy: "server")
            if sendsAll { (mine.changed, mine.isEverything) = (try store.fetch(Film.all), true) }
            return (state, mine)
        }.value()
        let answer = try await send(SyncCall(client: client, since: state.theirs, changes: mine))
        guard !answer.changes.isEverything || mine.isEverything else { return .unknown }
        return try await repository.transaction(author: "server") { store -> Attempt in
            let theirs = answer.changes
            let late = try store.filmChanges(since: mine.token, notBy: "server")
            guard late.ids.isDisjoint(with: theirs.ids) else { return .changedMeanwhile }
            try store.take(theirs, except: [])
            try store.upsert(SyncState(id: 0, mine: mine.token, theirs: theirs.token))
            return .done(
                Outcome(sent: mine.ids.count, received: theirs.ids.count, conflicts: answer.conflicts))
        }.value()
    }

    private func send(_ call: SyncCall) async throws -> SyncAnswer {
        var request = URLRequest(url: server.appending(path: "sync"))
        request.httpMethod = "POST"
        request.httpBody = try JSONEncoder().encode(call)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let (data, response) = try await URLSession.shared.data(for: request)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        return try JSONDecoder().decode(SyncAnswer.self, from: data)
    }
}
