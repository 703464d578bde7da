import SignalRepository
import Signals
import SignalsTesting

/// A query, followed as text, and the text of a fresh read.
struct FollowedText: Sendable {
    let name: String
    let follow: @Sendable (any Repository) -> Recorder<String, RepositoryError>
    let fresh: @Sendable (any Repository) async throws -> String

    init<Query: LiveRepositoryQuery>(_ name: String, _ query: Query) {
        self.name = name
        follow = { $0.follow(query).map { "\($0)" }.record() }
        fresh = { "\(try await $0.fetch(query).value())" }
    }

    init<Output>(_ name: String, _ body: @escaping @Sendable (ReadTransaction) throws -> Output)
    where Output: Sendable & Equatable {
        self.name = name
        follow = { $0.follow(LiveQuery(body)).map { "\($0.value)" }.record() }
        fresh = { "\(try await $0.read(body).value())" }
    }

    init<Item: Entity & Equatable>(_ name: String, of type: Item.Type, id: Item.ID) {
        self.name = name
        follow = { $0.readSubscription(type, id: id).map { String(describing: $0) }.record() }
        fresh = { String(describing: try await $0.read { try $0.find(type, id: id) }.value()) }
    }
}
