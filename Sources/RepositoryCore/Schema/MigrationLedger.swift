/// The declared migrations, to be compared with the names that a store has recorded in an internal table.
struct MigrationLedger {
    private let declared: [Migration]

    init(_ migrations: [Migration]) throws(RepositoryError) {
        var names: Set<String> = []
        for migration in migrations {
            guard !migration.name.isEmpty else { throw .misuse(detail: "the name of a migration is empty") }
            guard names.insert(migration.name).inserted else {
                throw .misuse(detail: "two migrations have the name \"\(migration.name)\"")
            }
        }
        declared = migrations
    }

    /// Returns the migrations that the store has not recorded, in the order of the list.
    ///
    /// Throws if the store has recorded a migration that the list lacks, because the store then has a newer version.
    func pending(after seen: [String]) throws(RepositoryError) -> [Migration] {
        if let unknown = seen.first(where: { name in !declared.contains { $0.name == name } }) {
            throw .schemaMismatch(
                detail: "the migration \"\(unknown)\" was run on the store, but is not in the list: "
                    + "this program is older than the store, or opens it without its migrations")
        }
        return declared.filter { !seen.contains($0.name) }
    }
}
