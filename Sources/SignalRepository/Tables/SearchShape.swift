/// The full-text index of a table, as declared or as found in a file.
///
/// It consists of an FTS5 table that stores the texts, and of triggers that update this table for every writer.
///
/// An FTS5 table that does not store the texts would be half the size. But to remove a row from it, a trigger must pass
/// the old text. If another trigger or REPLACE had changed the row before, the index would stay wrong.
struct SearchShape: Sendable, Equatable {
    /// The FTS5 table or one of the triggers: the name, and the statement that creates it.
    struct Part: Sendable, Equatable {
        let name: String
        let sql: String
    }

    private(set) var parts: [Part] = []
    /// The statement that fills the FTS5 table of a declared index; `nil` for an index found in a file.
    private var filling: String?
    /// Whether an index found in a file lacks rows, for example because another program emptied it.
    private var lacksRows = false

    /// Creates the shape of a table that has no full-text index.
    init() {}

    init(of table: TableShape) {
        self.init()
        if !table.search.isEmpty { self = SearchShape(of: table.name, columns: table.search) }
    }

    private init(of table: String, columns: [String]) {
        let name = SearchIndex.name(of: table)
        let (index, content) = (Identifier.quoted(name), Identifier.quoted(table))
        let names = Identifier.list(columns)
        let removal = "DELETE FROM \(index) WHERE rowid = old._rowid_;"
        // The trigger reads the row again, because another trigger may have changed the row before.
        let addition =
            "INSERT OR REPLACE INTO \(index) (rowid, \(names)) SELECT _rowid_, \(names) FROM \(content) "
            + "WHERE _rowid_ = new._rowid_;"
        let isChanged = columns.map { "old.\(Identifier.quoted($0)) IS NOT new.\(Identifier.quoted($0))" }
        let condition = (isChanged + ["old._rowid_ <> new._rowid_"]).joined(separator: " OR ")
        add(
            name,
            "CREATE VIRTUAL TABLE \(index) USING fts5(\(names), tokenize='unicode61 remove_diacritics 2')")
        addTrigger(table, "insert", "AFTER INSERT ON \(content)", addition)
        addTrigger(table, "delete", "AFTER DELETE ON \(content)", removal)
        addTrigger(table, "update", "AFTER UPDATE ON \(content) WHEN \(condition)", removal + " " + addition)
        filling = "INSERT INTO \(index) (rowid, \(names)) SELECT _rowid_, \(names) FROM \(content)"
    }

    /// Reads a table's index from its file, including triggers that were created before the table was renamed.
    init(of table: String, in connection: Connection) throws(RepositoryError) {
        var tables = [SearchIndex.name(of: table)]
        let triggers = try connection.rows(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?", [.text(table)])
        for row in triggers {
            guard case .text(let name) = row[0], case .text(let sql) = row[1] else { continue }
            guard let owner = SearchIndex.owner(ofTrigger: name) else { continue }
            add(name, sql)
            if owner != table { tables.append(SearchIndex.name(of: owner)) }
        }
        for name in Set(tables) {
            let rows = try connection.rows(
                "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", [.text(name)])
            if case .text(let sql)? = rows.first?.first, sql.hasPrefix("CREATE VIRTUAL TABLE") { add(name, sql) }
        }
        if !parts.isEmpty { lacksRows = try Self.lacksRows(of: table, in: connection) }
    }

    /// Whether a table and its index differ in the first or last rowid; comparing all rows would be O(*n*).
    private static func lacksRows(of table: String, in connection: Connection) throws(RepositoryError) -> Bool {
        let (content, index) = (Identifier.quoted(table), Identifier.quoted(SearchIndex.name(of: table) + "_docsize"))
        func edge(_ end: String) -> String {
            "(SELECT \(end)(_rowid_) FROM \(content)) IS (SELECT \(end)(id) FROM \(index))"
        }
        do {
            return try connection.integer("SELECT \(edge("min")) AND \(edge("max"))") == 0
        } catch .misuse {
            // The table or its index has another kind than expected; a different check reports this.
            return false
        }
    }

    /// Returns the tables of a file that have a full-text index, ordered by name.
    static func tables(in connection: Connection) throws(RepositoryError) -> [String] {
        let rows = try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
        let owners = rows.compactMap { row in
            if case .text(let name)? = row.first { SearchIndex.owner(ofTrigger: name) } else { nil }
        }
        return Set(owners).sorted()
    }

    /// Returns whether the texts in a table's index differ from the texts in the table's rows.
    static func isStale(of table: String, in connection: Connection) throws(RepositoryError) -> Bool {
        let name = SearchIndex.name(of: table)
        let columns = try connection.texts("SELECT name FROM pragma_table_info(?)", [.text(name)])
        let (content, index) = (Identifier.quoted(table), Identifier.quoted(name))
        let texts = Identifier.list(columns)
        let (rowsOfTable, rowsOfIndex) = (
            "SELECT _rowid_, \(texts) FROM \(content)", "SELECT rowid, \(texts) FROM \(index)"
        )
        do {
            return try connection.integer(
                """
                SELECT EXISTS (\(rowsOfTable) EXCEPT \(rowsOfIndex)) OR EXISTS (\(rowsOfIndex) EXCEPT \(rowsOfTable))
                """) == 1
        } catch .misuse {
            // The table or its index is missing, or has another kind than expected.
            return true
        }
    }

    var creation: [String] { parts.map(\.sql) + [filling].compactMap(\.self) }

    var removal: [String] {
        parts.map { part in
            let isTable = part.sql.hasPrefix("CREATE VIRTUAL TABLE")
            return "DROP \(isTable ? "TABLE" : "TRIGGER") \(Identifier.quoted(part.name))"
        }
    }

    func isSame(_ other: SearchShape) -> Bool {
        !lacksRows && !other.lacksRows && parts.count == other.parts.count
            && parts.allSatisfy { other.parts.contains($0) }
    }

    private mutating func add(_ name: String, _ sql: String) { parts.append(Part(name: name, sql: sql)) }

    private mutating func addTrigger(_ table: String, _ kind: String, _ event: String, _ body: String) {
        let name = SearchIndex.trigger(kind, of: table)
        add(name, "CREATE TRIGGER \(Identifier.quoted(name)) \(event) BEGIN \(body) END")
    }
}
