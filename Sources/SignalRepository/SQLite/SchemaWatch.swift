/// Tells whether the tables have changed since a connection's statements were prepared.
///
/// SQLite compiles a statement again for other reasons too: where a partial index may be of use, it does so whenever a
/// value is bound that it compares with the index's condition. So a compilation only gives rise to the question, and
/// the versions of the schemas answer it.
struct SchemaWatch {
    /// The versions of the store's schema and of those that are attached; `nil` where they are not known.
    private var versions: [Int64]?
    /// Whether they were read in a transaction that writes: undone, they may be those of another change.
    private var isPending = false

    /// Takes the tables as they are now for those of the statements to come.
    mutating func begin(on connection: Connection) {
        versions = try? connection.schemaVersions()
        isPending = connection.isInWriteTransaction
    }

    /// Whether the tables have changed since this was last asked, or may have.
    mutating func hasChanged(on connection: Connection) -> Bool {
        let before = versions
        let now = try? connection.schemaVersions()
        guard now == nil || now != before else { return false }
        (versions, isPending) = (now, connection.isInWriteTransaction)
        return true
    }

    mutating func commit() { isPending = false }

    /// Notes that the transaction, or a part of it, was undone.
    mutating func rollback() { if isPending { versions = nil } }
}

extension Connection {
    fileprivate func schemaVersions() throws(RepositoryError) -> [Int64] {
        var versions = [try schemaVersion()]
        guard !options.attached.isEmpty else { return versions }
        for name in try texts("SELECT name FROM pragma_database_list WHERE seq > 1") {
            versions.append(try integer("PRAGMA \(Identifier.quoted(name)).schema_version"))
        }
        return versions
    }
}
