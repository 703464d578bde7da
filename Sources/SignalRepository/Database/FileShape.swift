/// What a database file holds, read without writing.
struct FileShape: Sendable, Equatable {
    /// Marks a file as one of this library's: "SgRp".
    static let applicationID: Int64 = 0x5367_5270
    /// The version of the way in which tables are laid out.
    static let version: Int64 = 1

    /// A table, view or virtual table and the traits that a table of ours always has.
    struct Item: Sendable, Equatable {
        /// "table", "view", "virtual" or "shadow".
        var kind: String
        var hasRowNumbers: Bool
        var isStrict: Bool
        var shape: TableShape
    }

    var applicationID: Int64
    var version: Int64
    var items: [Item]

    /// Whether nothing was ever stored.
    var isEmpty: Bool { applicationID == 0 && version == 0 && items.isEmpty }

    /// Reads the shape through any connection.
    init(_ connection: Connection) throws(RepositoryError) {
        applicationID = try connection.integer("PRAGMA application_id")
        version = try connection.integer("PRAGMA user_version")
        items = []
        guard applicationID == Self.applicationID else {
            // Of a stranger's file the names are enough.
            let rows = try connection.rows("SELECT type, name FROM sqlite_schema ORDER BY name")
            for row in rows {
                guard case .text(let kind) = row[0], case .text(let name) = row[1] else { continue }
                let shape = TableShape(name: name, columns: [], indexes: [])
                items.append(Item(kind: kind, hasRowNumbers: true, isStrict: false, shape: shape))
            }
            return
        }
        let list = try connection.rows(
            """
            SELECT name, type, wr, strict FROM pragma_table_list \
            WHERE schema = 'main' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
            """)
        for row in list {
            guard case .text(let name) = row[0], case .text(let kind) = row[1] else { continue }
            let shape = try TableShape(name, in: connection)
            items.append(
                Item(kind: kind, hasRowNumbers: row[2] == .integer(0), isStrict: row[3] == .integer(1), shape: shape))
        }
    }

    /// Returns the table or view of this name; SQLite does not tell capital letters from small ones.
    func item(named name: String) -> Item? {
        items.first { $0.shape.name.lowercased() == name.lowercased() }
    }
}

extension TableShape {
    /// Reads the shape of a table from its file.
    init(_ name: String, in connection: Connection) throws(RepositoryError) {
        self.name = name
        columns = []
        indexes = []
        var references: [String: ReferenceShape] = [:]
        let keys = try connection.rows(
            "SELECT \"from\", \"table\", on_delete FROM pragma_foreign_key_list(?)", [.text(name)])
        for key in keys {
            guard case .text(let column) = key[0], case .text(let table) = key[1], case .text(let rule) = key[2]
            else { continue }
            references[column] = ReferenceShape(table: table, rule: rule)
        }
        let columns = try connection.rows(
            "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?)", [.text(name)])
        for column in columns {
            guard case .text(let columnName) = column[0], case .text(let type) = column[1] else { continue }
            var literal: String?
            if case .text(let text) = column[3] { literal = text }
            let isComputed = column[5] != .integer(0)
            self.columns.append(
                ColumnShape(
                    name: columnName, type: isComputed ? "computed \(type)" : type,
                    isOptional: column[2] == .integer(0),
                    isKey: column[4] != .integer(0), defaultLiteral: literal, reference: references[columnName]))
        }
        let indexes = try connection.rows(
            "SELECT name, \"unique\" FROM pragma_index_list(?) WHERE origin = 'c' AND partial = 0", [.text(name)])
        for index in indexes {
            guard case .text(let indexName) = index[0] else { continue }
            let rows = try connection.rows("SELECT name FROM pragma_index_info(?)", [.text(indexName)])
            let names = rows.map { row in if case .text(let name)? = row.first { name } else { "" } }
            self.indexes.append(IndexShape(name: indexName, columns: names, isUnique: index[1] == .integer(1)))
        }
    }
}
