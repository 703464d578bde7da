import CSQLite

extension Connection {
    /// A number that changes with every schema change, and goes back on rollback.
    func schemaVersion() throws(RepositoryError) -> Int64 { try schemaVersion(cached(Self.schemaVersionSQL)) }

    static let schemaVersionSQL = "PRAGMA schema_version"

    /// The same by a statement that is kept for it.
    func schemaVersion(_ statement: Statement) throws(RepositoryError) -> Int64 {
        defer { statement.reset() }
        guard try statement.step(), case .integer(let version) = try statement.value(at: 0) else { return 0 }
        return version
    }

    /// Returns the layouts of all tables by name.
    ///
    /// Tables with virtual generated columns are left out: SQLite counts the columns of their rows in two ways.
    func tableLayouts() throws(RepositoryError) -> [String: TableLayout] {
        var layouts: [String: TableLayout] = [:]
        let tables = try rows(
            "SELECT name, wr, strict FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow')")
        for table in tables {
            guard case .text(let name) = table[0], !Identifier.key(name).starts(with: "sqlite_".utf8) else { continue }
            layouts[name] = try tableLayout(
                name, hasRowID: table[1] == .integer(0), isStrict: table[2] == .integer(1))
        }
        return layouts
    }

    func areExact(_ tables: Set<String>) throws(RepositoryError) -> Bool {
        let version = try schemaVersion()
        if let exactTables, exactTables.version == version { return tables.isSubset(of: exactTables.names) }
        let names = Set(try tableLayouts().lazy.filter(\.value.isExact).map(\.key))
        exactTables = (version, names)
        return tables.isSubset(of: names)
    }

    private func tableLayout(_ name: String, hasRowID: Bool, isStrict: Bool) throws(RepositoryError) -> TableLayout? {
        var columns: [TableLayout.Column] = []
        var key: [(order: Int64, index: Int)] = []
        var (isPlain, isNumber) = (true, false)
        let rows = try rows("SELECT name, type, dflt_value, pk, hidden FROM pragma_table_xinfo(?)", [.text(name)])
        for (index, row) in rows.enumerated() {
            guard case .text(let column) = row[0], case .text(let type) = row[1], row[4] != .integer(2) else {
                return nil
            }
            if Identifier.key(type) == Identifier.key("ANY") || Identifier.key(column) == Identifier.key("_rowid_") {
                isPlain = false
            }
            let affinity = ColumnAffinity(declaration: type)
            var absent = SQLValue.null
            if case .text(let literal) = row[2] { absent = try defaultValue(literal, affinity) }
            columns.append(TableLayout.Column(name: column, isReal: affinity == .real, absent: absent))
            if case .integer(let order) = row[3], order > 0 {
                key.append((order, index))
                // Of this type exactly, and in a table that has them, it is the rowid.
                isNumber = Identifier.key(type) == Identifier.key("INTEGER")
            }
        }
        key.sort { $0.order < $1.order }
        let isExact =
            isStrict && isPlain && hasRowID && columns.allSatisfy { collation(of: $0.name, in: name) == "BINARY" }
        let isKeyedByNumber = hasRowID && (key.isEmpty || key.count == 1 && isNumber)
        return TableLayout(
            name: name, columns: columns, key: key.map(\.index), hasRowID: hasRowID, isKeyedByNumber: isKeyedByNumber,
            isExact: isExact)
    }

    /// The columns of a table that it computes.
    func computedColumns(of table: String) throws(RepositoryError) -> Set<String> {
        Set(try texts("SELECT name FROM pragma_table_xinfo(?) WHERE hidden > 1", [.text(table)]))
    }

    /// The name of the collation by which a column's texts are compared; empty where it is not known.
    func collation(of column: String, in table: String) -> String {
        var collation: UnsafePointer<CChar>?
        let code = sqlite3_table_column_metadata(handle, "main", table, column, nil, &collation, nil, nil, nil)
        guard code == SQLITE_OK, let collation else { return "" }
        return String(cString: collation)
    }

    /// Returns the value of a default whose text is in the file; NULL when it is not a constant, because a column with
    /// such a default cannot be added to a table that has rows.
    private func defaultValue(_ literal: String, _ affinity: ColumnAffinity) throws(RepositoryError) -> SQLValue {
        let expression = affinity.cast.map { "CAST((\(literal)) AS \($0))" } ?? "(\(literal))"
        do {
            return try rows("SELECT \(expression)").first?.first ?? .null
        } catch .misuse {
            return .null
        }
    }
}

/// The class that a column prefers, by SQLite's rules for the text of its type.
enum ColumnAffinity {
    case integer, text, blob, real, numeric

    init(declaration: String) {
        let type = declaration.uppercased()
        func has(_ parts: String...) -> Bool { parts.contains { type.contains($0) } }
        if has("INT") {
            self = .integer
        } else if has("CHAR", "CLOB", "TEXT") {
            self = .text
        } else if has("BLOB") || type.isEmpty {
            self = .blob
        } else {
            self = has("REAL", "FLOA", "DOUB") ? .real : .numeric
        }
    }

    /// The type that a default is converted to, if necessary.
    fileprivate var cast: String? {
        switch self {
        case .real: "REAL"
        case .text: "TEXT"
        case .integer, .blob, .numeric: nil
        }
    }
}

extension TableLayout {
    /// The statement that reads the row with a key, and last its rowid if it has one.
    func selection(by key: RowKey) -> String {
        let names = Identifier.list(columns.map(\.name))
        var condition = "_rowid_ = ?"
        if case .number = key {
        } else {
            condition = Identifier.test(self.key.map { columns[$0].name })
        }
        return "SELECT \(names)\(hasRowID ? ", _rowid_" : "") FROM \(Identifier.quoted(name)) WHERE \(condition)"
    }
}
