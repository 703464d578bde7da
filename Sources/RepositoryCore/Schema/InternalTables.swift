/// The names of a store's internal tables.
///
/// Another program may have made these tables, so the library checks them before it reads them.
package enum InternalTables {
    /// The table of the migrations that the store has recorded.
    package static let migrations = "signal_repository_migrations"
    /// The table of the store's identity, which is part of the URLs of its items.
    package static let identity = "signal_repository_identity"
    /// The table of the changes that each commit has made.
    package static let history = "signal_repository_history"

    /// Returns whether a table is internal, including the tables of full-text indexes.
    package static func contains(_ name: String) -> Bool { name.hasPrefix("signal_repository_") }

    package static func refusal(_ name: String) -> RepositoryError {
        .schemaMismatch(detail: "the internal table \(name) is not as this library creates it")
    }
}
