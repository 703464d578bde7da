import CSQLite

/// The rules for raw SQL: it must not end the transaction in which it runs, or change the connection or the file.
enum RawSQLRules {
    /// Returns the reason to reject an action that SQLite reports to the authorizer; `nil` if it is allowed.
    static func refusal(
        of action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?,
        _ database: UnsafePointer<CChar>?
    ) -> String? {
        // For `CREATE TABLE temp.name`, SQLite reports the action for an ordinary table, and the database `temp`.
        let isTemporary = database.map { String(cString: $0).lowercased() == "temp" } ?? false
        switch action {
        case SQLITE_CREATE_TABLE, SQLITE_CREATE_VIEW, SQLITE_CREATE_TRIGGER, SQLITE_CREATE_INDEX, SQLITE_CREATE_VTABLE:
            return isTemporary ? temporary : nil
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
            return "the statement begins or ends a transaction"
        case SQLITE_ATTACH, SQLITE_DETACH:
            return "the statement attaches or detaches a file"
        case SQLITE_CREATE_TEMP_TABLE, SQLITE_CREATE_TEMP_VIEW, SQLITE_CREATE_TEMP_TRIGGER, SQLITE_CREATE_TEMP_INDEX:
            return temporary
        case SQLITE_PRAGMA:
            let name = first.map { String(cString: $0).lowercased() } ?? ""
            if taking.contains(name) || second == nil && reporting.contains(name) { return nil }
            return "PRAGMA \(name) may change the connection or the file"
        default:
            return nil
        }
    }

    private static let temporary = "the statement creates a temporary object, which would outlive the transaction"

    /// The pragmas that only report a setting if they are given no value.
    private static let reporting: Set = [
        "application_id", "auto_vacuum", "cache_size", "collation_list", "compile_options", "data_version",
        "database_list", "encoding", "foreign_keys", "freelist_count", "function_list", "journal_mode", "module_list",
        "page_count", "page_size", "pragma_list", "schema_version", "synchronous", "user_version",
    ]

    /// The pragmas that are harmless with any value.
    ///
    /// The effect of `defer_foreign_keys` ends with the transaction.
    private static let taking: Set = [
        "defer_foreign_keys", "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo",
        "integrity_check", "quick_check", "table_info", "table_list", "table_xinfo",
    ]
}
