/// The schema of a database file, read without writing.
struct FileShape: Sendable, Equatable {
    /// The application ID of this library's files: "SgRp".
    static let applicationID: Int64 = 0x5367_5270
    /// The version of the table layout.
    static let version: Int64 = 1

    /// A table, view or virtual table, and whether it has the traits of this library's tables: rowids and STRICT.
    struct Item: Sendable, Equatable {
        var name: String
        /// "table", "view", "virtual" or "shadow".
        var kind: String
        var hasRowIDs: Bool
        var isStrict: Bool
        /// The statement that created the item; empty unless its shape was requested.
        var declaration = ""
        /// The shape of the table or view; `nil` unless it was requested.
        var shape: TableShape?
        /// The columns whose declaration could have a comment about the meaning of their values, but has none.
        var undescribed: Set<String> = []
        /// The full-text index of the table; empty unless the table's shape was requested.
        var search = SearchShape()
    }

    let applicationID: Int64
    let version: Int64
    /// All items, ordered by name.
    private(set) var items: [Item] = []
    /// The position of each item in `items`, by the `Identifier.key` of its name.
    private var indexes: [[UInt8]: Int] = [:]

    var isEmpty: Bool { applicationID == 0 && version == 0 && items.isEmpty }

    /// Reads the names of all items, and the columns and indexes of the tables named in `tables`.
    ///
    /// - Complexity: one statement for all items, and a few for each of `tables`.
    init(_ connection: Connection, tables: [String]) throws(RepositoryError) {
        applicationID = try connection.integer("PRAGMA application_id")
        version = try connection.integer("PRAGMA user_version")
        guard applicationID == Self.applicationID else {
            // A file of another program is rejected with an error that needs only the names.
            for row in try connection.rows("SELECT name, type FROM sqlite_schema ORDER BY name") { add(row) }
            return
        }
        let list = try connection.rows(
            """
            SELECT name, type, wr, strict FROM pragma_table_list \
            WHERE schema = 'main' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name
            """)
        for row in list { add(row) }
        for name in tables {
            guard let index = indexes[Identifier.key(name)] else { continue }
            items[index].declaration = try connection.declaration(of: items[index].name) ?? ""
            if items[index].kind == "view" {
                items[index].shape = TableShape(view: items[index].name, items[index].declaration)
                continue
            }
            let details = TableDeclaration(items[index].declaration)
            let shape = try TableShape(items[index].name, items[index].declaration, details, in: connection)
            items[index].shape = shape
            items[index].undescribed = Set(
                shape.columns.lazy.filter { details.rangeWithoutMeaning(of: $0) != nil }.map(\.name))
            items[index].search = try SearchShape(of: items[index].name, in: connection)
        }
    }

    private mutating func add(_ row: [SQLValue]) {
        guard case .text(let name) = row[0], case .text(let kind) = row[1] else { return }
        indexes[Identifier.key(name)] = items.count
        items.append(
            Item(
                name: name, kind: kind, hasRowIDs: row.count == 4 && row[2] == .integer(0),
                isStrict: row.count == 4 && row[3] == .integer(1)))
    }

    func item(named name: String) -> Item? {
        indexes[Identifier.key(name)].map { items[$0] }
    }
}

extension FileShape: StoredShape {
    var noun: String { "file" }
    var emptiness: String { "the file is an empty database" }
    var isNew: Bool { isEmpty }

    func check() throws(RepositoryError) {
        try checkOrigin()
        try checkOwn(InternalTables.migrations, [("number", "INTEGER"), ("name", "TEXT")])
        try checkOwn(InternalTables.identity, [("identity", "TEXT")])
        try checkOwn(InternalTables.history, HistoryTable.columns)
    }

    private func checkOrigin() throws(RepositoryError) {
        guard !isEmpty else { return }
        guard applicationID == Self.applicationID else {
            let names = items.prefix(5).map(\.name).joined(separator: ", ")
            let mark = applicationID == 0 ? "" : " (application \(applicationID))"
            let tables = names.isEmpty ? "" : ", with \(names)"
            throw .schemaMismatch(detail: "the file is another program's database\(mark)\(tables)")
        }
        guard version == Self.version else {
            let which = version > Self.version ? "a newer version of this library" : "another program"
            throw .schemaMismatch(detail: "the file was laid out by \(which) (\(version))")
        }
    }

    /// Throws if an internal table exists, but differs from the one that the library creates.
    private func checkOwn(
        _ name: String, _ columns: [(name: String, type: String)]
    ) throws(RepositoryError) {
        guard let item = item(named: name) else { return }
        let stored = item.shape?.columns ?? []
        let isSame = stored.elementsEqual(columns) { $0.name == $1.name && $0.type == $1.type }
        guard item.name == name, item.kind == "table", item.isStrict, isSame else {
            throw InternalTables.refusal(item.name)
        }
    }

    func table(named name: String) -> StoredTable? {
        guard let item = item(named: name) else { return nil }
        var fault: String?
        if item.kind != "table" {
            fault = "a \(item.kind)"
        } else if !item.hasRowIDs || !item.isStrict {
            fault = "a table of another kind"
        }
        return StoredTable(name: item.name, fault: fault, shape: item.shape, undescribed: item.undescribed)
    }

    func search(of table: TableShape) -> SearchDifference {
        let declared = SearchShape(of: table)
        guard let item = item(named: table.name) else {
            if item(named: SearchIndex.name(of: table.name)) != nil { return .other }
            return table.search.isEmpty ? .none : .missing
        }
        if declared.isSame(item.search) { return .none }
        return item.search.parts.isEmpty ? .missing : .other
    }
}

extension TableShape {
    init(_ name: String, _ declaration: String, in connection: Connection) throws(RepositoryError) {
        try self.init(name, declaration, TableDeclaration(declaration), in: connection)
    }

    fileprivate init(
        _ name: String, _ declaration: String, _ details: TableDeclaration, in connection: Connection
    ) throws(RepositoryError) {
        self.init(name: name)
        let references = try connection.references(of: name)
        self.references = references.composite
        checks = details.checks
        let columns = try connection.rows(
            "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?)", [.text(name)])
        var key: [(order: Int64, name: String)] = []
        for column in columns {
            guard case .text(let columnName) = column[0], case .text(let type) = column[1] else { continue }
            var literal: String?
            if case .text(let text) = column[3] { literal = text }
            if case .integer(let order) = column[4], order > 0 { key.append((order, columnName)) }
            let isComputed = column[5] != .integer(0)
            var shape = ColumnShape(
                name: columnName, type: type, storageClass: StorageClass.allCases.first { $0.declaration == type },
                isOptional: column[2] == .integer(0), isKey: column[4] != .integer(0),
                isGenerated: column[4] != .integer(0) && details.isGenerated,
                defaultLiteral: literal, reference: references.single[columnName],
                meaning: details.meaning(of: columnName))
            if isComputed { shape.computation = details.computation(of: columnName) ?? "another expression" }
            self.columns.append(shape)
        }
        if key.count > 1 { compositeKey = key.sorted { $0.order < $1.order }.map(\.name) }
        let indexes = try connection.rows(
            """
            SELECT i.name, i."unique", s.sql, i.partial FROM pragma_index_list(?) AS i \
            JOIN sqlite_schema AS s ON s.type = 'index' AND s.name = i.name WHERE i.origin = 'c' ORDER BY i.seq
            """, [.text(name)])
        for index in indexes {
            guard case .text(let indexName) = index[0] else { continue }
            let rows = try connection.rows("SELECT name FROM pragma_index_info(?)", [.text(indexName)])
            let columns = rows.compactMap { row in if case .text(let name)? = row.first { name } else { nil } }
            var shape = IndexShape(name: indexName, columns: columns, isUnique: index[1] == .integer(1))
            if index[3] != .integer(0) || columns.count < rows.count, case .text(let sql) = index[2] {
                let start = sql.firstRange(of: " ON \(Identifier.quoted(name)) ")?.upperBound
                shape.definition = start.map { String(sql[$0...]) } ?? sql
            }
            self.indexes.append(shape)
        }
    }

    init(view name: String, _ declaration: String) {
        self.init(name: name)
        let start = declaration.firstRange(of: "\(Identifier.quoted(name)) AS ")?.upperBound
        view = start.map { String(declaration[$0...]) } ?? declaration
    }
}

extension Connection {
    func declaration(of name: String) throws(RepositoryError) -> String? {
        try texts("SELECT sql FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ?", [.text(name)]).first
    }

    func references(
        of table: String
    ) throws(RepositoryError) -> (single: [String: ReferenceShape], composite: [CompositeReferenceShape]) {
        var all: [(number: SQLValue, shape: CompositeReferenceShape)] = []
        let rows = try rows(
            "SELECT \"from\", \"table\", on_delete, id FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq",
            [.text(table)])
        for row in rows {
            guard case .text(let column) = row[0], case .text(let target) = row[1], case .text(let rule) = row[2]
            else { continue }
            if all.last?.number == row[3] {
                all[all.count - 1].shape.columns.append(column)
            } else {
                let reference = ReferenceShape(table: target, rule: rule)
                all.append((row[3], CompositeReferenceShape(columns: [column], reference)))
            }
        }
        var single: [String: ReferenceShape] = [:]
        for (_, shape) in all where shape.columns.count == 1 { single[shape.columns[0]] = shape.reference }
        return (single, all.map(\.shape).filter { $0.columns.count > 1 })
    }
}

extension Connection {
    func isOfStore() throws(RepositoryError) -> Bool {
        try integer("PRAGMA application_id") == FileShape.applicationID
    }

    func seenMigrations() throws(RepositoryError) -> [String] {
        do {
            return try texts(dialect.migrations.text)
        } catch .misuse {
            // The table is missing or has other columns; in the latter case, opening the store throws.
            return []
        }
    }
}
