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

    /// Returns the migrations that the store has not seen, in the order of the list.
    ///
    /// Throws when it has seen one that the list lacks: the store is from a newer version.
    func pending(_ file: FileShape, _ connection: Connection) throws(RepositoryError) -> [Migration] {
        guard file.item(named: OwnTables.migrations) != nil else { return declared }
        let rows = try connection.rows("SELECT name FROM \(OwnTables.migrations) ORDER BY number")
        let seen = rows.compactMap { row in if case .text(let name)? = row.first { name } else { nil } }
        if let stranger = seen.first(where: { name in !declared.contains { $0.name == name } }) {
            throw .schemaMismatch(
                detail: "the migration \"\(stranger)\" was run on it, which this program does not know: it is too old")
        }
        return declared.filter { !seen.contains($0.name) }
    }

    /// Records that migrations were run.
    func record(_ migrations: [Migration], on connection: Connection) throws(RepositoryError) {
        guard !migrations.isEmpty else { return }
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(OwnTables.migrations) \
            (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT
            """)
        for migration in migrations {
            try connection.execute("INSERT INTO \(OwnTables.migrations) (name) VALUES (?)", [.text(migration.name)])
        }
    }
}
