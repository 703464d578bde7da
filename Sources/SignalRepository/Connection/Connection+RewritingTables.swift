import CSQLite

extension Connection {
    /// Replaces the declarations of tables in the open transaction; their rows, indexes and triggers stay as they are.
    ///
    /// SQLite documents this for changes that no row can contradict, such as a comment or a removed constraint. The
    /// caller must verify the resulting tables.
    ///
    /// - Returns: Whether this build of SQLite allows the replacement; if not, nothing has changed.
    func rewriteDeclaration(_ tables: [(name: String, declaration: String)]) throws(RepositoryError) -> Bool {
        var now: Int32 = -1
        guard !tables.isEmpty, csqlite_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 0, &now) == SQLITE_OK else {
            return false
        }
        do throws(RepositoryError) {
            try execute("PRAGMA writable_schema = ON")
            let isAllowed = try integer("PRAGMA writable_schema") == 1
            if isAllowed {
                for (name, declaration) in tables {
                    try execute(
                        "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?",
                        [.text(declaration), .text(name)])
                }
                // Other connections read the schema again when its version changes.
                try execute("PRAGMA schema_version = \(try integer("PRAGMA schema_version") + 1)")
            }
            // RESET makes this connection discard its own copy of the schema.
            try execute("PRAGMA writable_schema = RESET")
            try require(SQLITE_DBCONFIG_DEFENSIVE, 1, "defensive")
            forgetStatements()
            return isAllowed
        } catch {
            sqlite3_exec(handle, "PRAGMA writable_schema = RESET", nil, nil, nil)
            try? require(SQLITE_DBCONFIG_DEFENSIVE, 1, "defensive")
            throw error
        }
    }
}
