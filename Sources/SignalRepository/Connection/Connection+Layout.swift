import CSQLite

extension Connection {
    /// Returns a number that changes with every schema change.
    ///
    /// A rollback restores the number.
    func schemaVersion() throws(RepositoryError) -> Int64 { try schemaVersion(cached(Self.schemaVersionSQL)) }

    static let schemaVersionSQL = "PRAGMA schema_version"

    /// Returns the schema version with a statement that the caller has prepared.
    func schemaVersion(_ statement: Statement) throws(RepositoryError) -> Int64 {
        defer { statement.reset() }
        guard try statement.step(), case .integer(let version) = try statement.value(at: 0) else { return 0 }
        return version
    }

    /// Returns the layouts of the tables by name.
    ///
    /// A table is missing from the result if the rows that a hook reports for it could not be interpreted.
    func tableLayouts() throws(RepositoryError) -> [String: TableLayout] {
        var layouts: [String: TableLayout] = [:]
        for table in try TableDescription.all(in: self) { layouts[table.name] = try table.layout(in: self) }
        return layouts
    }

    func foreignLayouts(of tables: Set<String>) throws(RepositoryError) -> [String: TableLayout]? {
        let version = try schemaVersion()
        if knownLayouts?.version != version {
            let found = try TableDescription.all(in: self).filter(\.isReported).map { table in
                // A statement returns a value for each column, so these layouts need no defaults.
                (table.name, table.layout(table.columns.map { _ in .null }))
            }
            knownLayouts = (version, Dictionary(found) { first, _ in first })
        }
        var foreign: [String: TableLayout] = [:]
        for table in tables {
            guard let layout = knownLayouts?.layouts[table], layout.isFollowed else { return nil }
            if layout.isForeign { foreign[table] = layout }
        }
        return foreign
    }

    /// Whether the file stores text in UTF-8.
    ///
    /// Only some files made by other software do not.
    var isUTF8: Bool {
        get throws(RepositoryError) { try rows("PRAGMA encoding").first?.first == .text("UTF-8") }
    }

    /// Returns the name of a column's collation, or an empty string if it is unknown.
    func collation(of column: String, in table: String) -> String {
        var collation: UnsafePointer<CChar>?
        let code = sqlite3_table_column_metadata(handle, "main", table, column, nil, &collation, nil, nil, nil)
        guard code == SQLITE_OK, let collation else { return "" }
        return String(cString: collation)
    }

    /// Returns the value of a column's default in rows that are older than the column; `nil` if it cannot be read.
    ///
    /// SQLite computes the value: the method adds a column with the same default to a table in memory that has one row.
    func value(ofDefault text: String, _ affinity: ColumnAffinity) throws(RepositoryError) -> SQLValue? {
        let column = "\(affinity.type) DEFAULT"
        if let known = defaultValues[column + text] { return known }
        let scratch = try Connection(path: ":memory:", options: ConnectionOptions().with(.writer))
        defer { scratch.close() }
        if try !isUTF8, case .text(let encoding)? = try rows("PRAGMA encoding").first?.first {
            try scratch.execute("PRAGMA encoding = '\(encoding)'")
        }
        try scratch.execute("CREATE TABLE old (id INTEGER)")
        try scratch.execute("INSERT INTO old VALUES (1)")
        // SQLite lists a default expression without its parentheses, so the second attempt adds them.
        let isAdded =
            (try? scratch.execute("ALTER TABLE old ADD COLUMN value \(column) \(text)")) != nil
            || (try? scratch.execute("ALTER TABLE old ADD COLUMN value \(column) (\(text))")) != nil
        // SQLite adds a column with any other default only to an empty table, so no row is older than the column.
        let value = isAdded ? (try? scratch.rows("SELECT value FROM old"))?.first?.first : .null
        defaultValues[column + text] = value
        return value
    }
}

extension TableLayout {
    /// Returns the statement that reads the row with a key: the row's columns, and then its rowid if it has one.
    func selection(by key: RowKey) -> String {
        let names = Identifier.list(columns.map(\.name))
        let rowID = rowIDName ?? "_rowid_"
        var condition = "\(rowID) = ?"
        if case .number = key {
        } else {
            condition = Identifier.test(self.key.map { columns[$0].name })
        }
        return "SELECT \(names)\(hasRowID ? ", \(rowID)" : "") FROM \(Identifier.quoted(name)) WHERE \(condition)"
    }
}
