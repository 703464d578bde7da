/// The tables that a store keeps for itself.
///
/// Anybody can make a store, so the tables are checked before they are read.
package enum OwnTables {
    /// Which migrations the store has seen.
    package static let migrations = "signal_repository_migrations"
    /// The name that item URLs begin with.
    package static let identity = "signal_repository_identity"
    /// What the commits have changed.
    package static let history = "signal_repository_history"

    /// Whether a table is one of them, or one that is made for a search.
    package static func contains(_ name: String) -> Bool { name.hasPrefix("signal_repository_") }

    package static func refusal(_ name: String) -> RepositoryError {
        .schemaMismatch(detail: "the store's own table \(name) is not as this library makes it")
    }
}
