import CSQLite

/// The names of a database's tables and views, as they are declared.
struct DeclaredNames {
    private var names: [[UInt8]: String] = [:]

    init() {}

    /// Reads the names.
    ///
    /// Directly through SQLite's interface: a `Statement` would request the names of its own tables.
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

    /// Whether one of the names that a statement spells is not among these.
    func lacks(_ spelled: Set<String>) -> Bool {
        spelled.contains { names[Identifier.key($0)] == nil }
    }

    /// Returns the names as they are declared; names that are not a table's are left out.
    func declared(_ spelled: Set<String>) -> Set<String> {
        Set(spelled.compactMap { names[Identifier.key($0)] })
    }
}
