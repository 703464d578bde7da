import CSQLite

/// The names of a database's tables and views, in their declared spelling.
struct DeclaredNames {
    private var names: [[UInt8]: String] = [:]

    init() {}

    /// Reads the names of all tables and views of the database.
    ///
    /// This calls SQLite's C interface, because a `Statement` would need these names itself.
    init(_ handle: OpaquePointer?) {
        var statement: OpaquePointer?
        sqlite3_prepare_v2(
            handle, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')", -1, &statement, nil)
        while sqlite3_step(statement) == SQLITE_ROW {
            guard let text = sqlite3_column_text(statement, 0) else { continue }
            let name = String(cString: text)
            names[Identifier.key(name)] = name
        }
        sqlite3_finalize(statement)
    }

    /// Returns whether any of the given names belongs to no known table or view.
    func lacks(_ given: Set<String>) -> Bool {
        given.contains { names[Identifier.key($0)] == nil }
    }

    /// Returns the given names in their declared spelling, without names that belong to no table or view.
    func declared(_ given: Set<String>) -> Set<String> {
        Set(given.compactMap { names[Identifier.key($0)] })
    }
}
