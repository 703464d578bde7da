/// The internal tables of a store.
///
/// Any program can make a store, so the tables are checked before they are read.
package enum InternalTables {
    /// The migrations that the store has seen.
    package static let migrations = "signal_repository_migrations"
    /// The store's name in item URLs.
    package static let identity = "signal_repository_identity"
    /// The changes of the commits.
    package static let history = "signal_repository_history"

    /// Whether a table is internal, which includes the tables of full-text indexes.
    package static func contains(_ name: String) -> Bool { name.hasPrefix("signal_repository_") }

    package static func refusal(_ name: String) -> RepositoryError {
        .schemaMismatch(detail: "the internal table \(name) is not as this library creates it")
    }
}
