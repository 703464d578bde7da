/// Detects whether the tables have changed since a connection's statements were prepared.
///
/// A recompiled statement is only a hint of a schema change, because SQLite also recompiles a statement for a bound
/// value that decides whether a partial index can be used. So the versions of the schemas are compared.
struct SchemaWatch {
    /// The versions of the schemas of the store and of the attached files; `nil` if they are unknown.
    private var versions: [Int64]?
    /// Whether a write transaction read the versions.
    ///
    /// After that transaction's rollback, another schema change may get the same versions.
    private var isPending = false

    /// Records the current versions, which hold for the statements prepared from now on.
    mutating func begin(on connection: Connection) {
        versions = try? connection.schemaVersions()
        isPending = connection.isInWriteTransaction
    }

    /// Returns whether the tables have changed since the last call, or may have changed.
    mutating func hasChanged(on connection: Connection) -> Bool {
        let before = versions
        let now = try? connection.schemaVersions()
        guard now == nil || now != before else { return false }
        (versions, isPending) = (now, connection.isInWriteTransaction)
        return true
    }

    mutating func commit() { isPending = false }

    /// Notes that the transaction, or a part of it, was rolled back.
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
