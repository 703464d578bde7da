/// The tables that a store keeps for itself.
///
/// Anybody can make a file, so the tables are checked before they are read.
enum OwnTables {
    /// Which migrations the store has seen.
    static let migrations = "signal_repository_migrations"
    /// The name that item URLs begin with.
    static let identity = "signal_repository_identity"

    /// Throws when one of them exists and is not as this library makes it.
    static func check(_ file: FileShape) throws(RepositoryError) {
        try check(file, migrations, [("number", "INTEGER"), ("name", "TEXT")])
        try check(file, identity, [("identity", "TEXT")])
    }

    private static func check(
        _ file: FileShape, _ name: String, _ columns: [(name: String, type: String)]
    ) throws(RepositoryError) {
        guard let item = file.item(named: name) else { return }
        let stored = item.shape?.columns ?? []
        let isSame = stored.elementsEqual(columns) { $0.name == $1.name && $0.type == $1.type }
        guard item.name == name, item.kind == "table", item.isStrict, isSame else {
            throw .schemaMismatch(detail: "the store's own table \(item.name) is not as this library makes it")
        }
    }
}
