/// The migrations that a store has seen: their names, in one of the store's own tables.
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

    /// Returns the migrations that are not among those that the store has seen, in the order of the list.
    ///
    /// Throws when it has seen one that the list lacks: the store is from a newer version.
    func pending(after seen: [String]) throws(RepositoryError) -> [Migration] {
        if let stranger = seen.first(where: { name in !declared.contains { $0.name == name } }) {
            throw .schemaMismatch(
                detail: "the migration \"\(stranger)\" was run on it, which is not among the given ones: "
                    + "this program is older than the store, or opens it without them")
        }
        return declared.filter { !seen.contains($0.name) }
    }
}
