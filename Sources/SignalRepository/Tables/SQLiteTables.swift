import Foundation

/// The tables of a file, or of a store in memory.
final class SQLiteTables: StoreTables {
    private let sqlite: Connection

    init(_ connection: Connection) {
        sqlite = connection
    }

    var connection: any StoreConnection { sqlite }
    var types: any ColumnTypes { SQLiteTypes() }
    var now: @Sendable () -> Date { sqlite.options.now }

    /// Reads the shapes of the given tables and of the internal tables, and the names of all other tables.
    func stored(_ tables: [String]) throws(RepositoryError) -> any StoredShape {
        try FileShape(
            sqlite, tables: tables + [InternalTables.migrations, InternalTables.identity, InternalTables.history])
    }

    func found() throws(RepositoryError) {
        try run("PRAGMA application_id = \(FileShape.applicationID)")
        try run("PRAGMA user_version = \(FileShape.version)")
    }

    func createMigrations() throws(RepositoryError) {
        try run(
            """
            CREATE TABLE IF NOT EXISTS \(InternalTables.migrations) \
            (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT
            """)
    }

    var isInStep: Bool { (try? sqlite.integer("PRAGMA foreign_keys")) == 0 }

    func statementRan() {}

    func stepsEnded() { sqlite.forgetStatements() }

    func tablesMade() {}

    func perform(_ change: SchemaChange) throws(RepositoryError) {
        switch change {
        case .createTable(let table):
            try run(table.creation)
            try checkExpressions(of: table)
        case .renameTable(let name, let newName):
            try run("ALTER TABLE \(Identifier.quoted(name)) RENAME TO \(Identifier.quoted(newName))")
        case .dropTable(let name): try run("DROP TABLE \(Identifier.quoted(name))")
        case .addColumn(let column, let table, let value): try add(column, to: table, value)
        case .renameColumn(let name, let newName, let table):
            let names = [table, name, newName].map(Identifier.quoted)
            try run("ALTER TABLE \(names[0]) RENAME COLUMN \(names[1]) TO \(names[2])")
        case .dropColumn(let name, let table):
            try run("ALTER TABLE \(Identifier.quoted(table)) DROP COLUMN \(Identifier.quoted(name))")
        case .dropNotNull(let name, let table): try DroppedNotNull(table: table, name: name).dropNotNull(on: sqlite)
        case .describe(let columns, let table): try describe(columns, of: table)
        case .createIndex(let index, let table): try run(index.creation(on: table.name))
        case .renameIndex(var index, let name, let table):
            try run(index.removal)
            index.name = name
            try run(index.creation(on: table.name))
        case .dropIndex(let index): try run(index.removal)
        case .addCheck(let check, let table): try add(check, to: table)
        case .dropCheck(let check, let table): try drop(check, of: table.name)
        case .createView(let view):
            try run("CREATE VIEW \(Identifier.quoted(view.name)) AS \(view.view ?? "")")
            try check(view: view)
        case .dropView(let name): try run("DROP VIEW \(Identifier.quoted(name))")
        case .createSearch(let table): for sql in SearchShape(of: table).creation { try run(sql) }
        case .dropSearch(let table): for sql in try SearchShape(of: table, in: sqlite).removal { try run(sql) }
        }
    }

    private func run(_ sql: String, _ values: [SQLValue] = []) throws(RepositoryError) {
        try sqlite.execute(sql, values)
    }
}

// Checks and views.
extension SQLiteTables {
    /// Throws if a table has an expression that SQLite would reject at the first insert.
    private func checkExpressions(of table: TableShape) throws(RepositoryError) {
        guard !table.checks.isEmpty || table.columns.contains(where: { $0.computation != nil }) else { return }
        _ = try sqlite.prepare("INSERT INTO \(Identifier.quoted(table.name)) DEFAULT VALUES")
    }

    /// Throws if a view lacks a declared column, or reads a table or column that does not exist.
    private func check(view: TableShape) throws(RepositoryError) {
        _ = try sqlite.prepare(
            "SELECT \(Identifier.list(view.columns.map(\.name))) FROM \(Identifier.quoted(view.name))")
        guard let declaration = try sqlite.declaration(of: view.name),
            TableShape(view: view.name, declaration).view == view.view
        else { throw .schemaMismatch(detail: "the query of the view \(view.name) ends with text that SQLite drops") }
        // SQLite may read the quoted name of a missing column as a string literal, so the names are also compared.
        let names = try sqlite.texts("SELECT name FROM pragma_table_info(?)", [.text(view.name)])
        if let column = view.columns.first(where: { !names.contains($0.name) }) {
            throw .schemaMismatch(detail: "the query of the view \(view.name) has no column \(column.name)")
        }
    }

    private func add(_ check: CheckShape, to table: TableShape) throws(RepositoryError) {
        let name = Identifier.quoted(table.name)
        let broken = try sqlite.integer("SELECT count(*) FROM \(name) WHERE NOT (\(check.expression))")
        guard broken == 0 else { throw table.breach(of: check, by: broken) }
        try rewriteDeclaration(table.name) { text in
            guard let end = TableDeclaration(text).end else { return nil }
            return String(decoding: text.utf8.prefix(end), as: UTF8.self) + ", \(check.declaration)"
                + String(decoding: text.utf8.dropFirst(end), as: UTF8.self)
        }
        try checkExpressions(of: table)
    }

    private func drop(_ check: CheckShape, of table: String) throws(RepositoryError) {
        try rewriteDeclaration(table) { text in
            let clause = ", \(check.declaration)"
            return text.contains(clause) ? text.replacing(clause, with: "", maxReplacements: 1) : nil
        }
    }

    /// Replaces a table's declaration with an edited one, which must differ only in its checks.
    private func rewriteDeclaration(_ table: String, _ edit: (String) -> String?) throws(RepositoryError) {
        guard let text = try sqlite.declaration(of: table), let edited = edit(text),
            try sqlite.rewriteDeclaration([(table, edited)])
        else {
            throw .schemaMismatch(
                detail: "the checks of \(table) cannot be changed in place: register Migration(\"…\") { store in "
                    + "try store.recreateTable(\(table).self) }")
        }
    }
}

// Adding and replacing columns.
extension SQLiteTables {
    private func add(_ column: ColumnShape, to table: String, _ value: SQLValue?) throws(RepositoryError) {
        var column = column
        // SQLite adds a NOT NULL column only if it has a default.
        if let value { column.defaultLiteral = types.literal(value, of: column.type) }
        try run("ALTER TABLE \(Identifier.quoted(table)) ADD COLUMN \(column.declaration)")
        // An UPDATE also writes the value into every row. A literal in a declaration is not exact for every number, and
        // the preupdate hook does not see a value that exists only in the declaration.
        if let value { try run(column.filling(of: table), [value]) }
    }

    /// Adds comments about the meaning of columns to the table's declaration, if this build of SQLite allows it.
    private func describe(_ columns: [ColumnShape], of table: String) throws(RepositoryError) {
        guard let declaration = try sqlite.declaration(of: table).map(TableDeclaration.init) else { return }
        var (text, rest): ([UInt8], Int) = ([], 0)
        let ranges = columns.compactMap { column in declaration.rangeWithoutMeaning(of: column).map { ($0, column) } }
        for (range, column) in ranges.sorted(by: { $0.0.lowerBound < $1.0.lowerBound }) {
            guard let meaning = column.meaning else { continue }
            text += declaration.text[rest..<range.lowerBound]
            text += "\(Identifier.quoted(column.name)) \(meaning.comment) \(column.type)".utf8
            rest = range.upperBound
        }
        text += declaration.text[rest...]
        _ = try sqlite.rewriteDeclaration([(table, String(decoding: text, as: UTF8.self))])
    }

    func replace(
        _ old: ColumnShape, by new: ColumnShape, in table: TableShape, _ convert: (SQLValue) throws -> SQLValue
    ) throws {
        var column = new
        column.name += "_"
        while table.columns.contains(where: { Identifier.key($0.name) == Identifier.key(column.name) }) {
            column.name += "_"
        }
        // SQLite adds a NOT NULL column only if it has a default.
        if !column.isOptional, column.defaultLiteral == nil { column.defaultLiteral = column.storageClass?.zero }
        let rowNumber = try table.rowNumber()
        let name = Identifier.quoted(table.name)
        try run("ALTER TABLE \(name) ADD COLUMN \(column.declaration)")
        let reading =
            "SELECT \(rowNumber), \(Identifier.quoted(old.name)) FROM \(name) WHERE \(rowNumber) >= ? "
            + "ORDER BY \(rowNumber) LIMIT \(Self.pageSize)"
        let filling = "\(column.filling(of: table.name)) WHERE \(rowNumber) = ?"
        var next: Int64? = .min
        while let first = next {
            let rows = try sqlite.rows(reading, [.integer(first)])
            for row in rows { try run(filling, [convert(row[1]), row[0]]) }
            next = Self.next(after: rows)
        }
        try perform(.dropColumn(old.name, of: table.name))
        try perform(.renameColumn(column.name, to: new.name, of: table.name))
    }

    private static let pageSize = 1_000

    /// Returns the rowid at which the next page begins; `nil` after the last page.
    private static func next(after rows: [[SQLValue]]) -> Int64? {
        guard rows.count == pageSize, case .integer(let last)? = rows.last?.first, last < .max else { return nil }
        return last + 1
    }
}

// Recreating and copying tables.
extension SQLiteTables {
    func recreate(
        _ old: TableShape, as new: TableShape, _ columns: [CopiedColumn]
    ) throws(RepositoryError) -> Int {
        let (name, table) = (new.name, SQLValue.text(new.name))
        var new = new
        let attached = try sqlite.rows(
            "SELECT name, sql FROM sqlite_schema WHERE tbl_name = ? AND type IN ('index', 'trigger') "
                + "AND sql IS NOT NULL", [table])
        let sequence = old.columns.contains(where: \.isGenerated) && new.columns.contains(where: \.isGenerated)
        let given = sequence ? try sqlite.rows("SELECT seq FROM sqlite_sequence WHERE name = ?", [table]) : []
        while try !sqlite.rows("SELECT 1 FROM sqlite_schema WHERE name = ?", [.text(new.name)]).isEmpty {
            new.name += "_"
        }
        try run(new.creation)
        let count = try copy(old, to: new, columns)
        try run("DROP TABLE \(Identifier.quoted(name))")
        // Until the rename, views refer to a table that does not exist. Only SQLite's legacy mode tolerates that.
        try run("PRAGMA legacy_alter_table = ON")
        defer { try? run("PRAGMA legacy_alter_table = OFF") }
        try perform(.renameTable(new.name, to: name))
        for index in new.indexes { try run(index.creation(on: name)) }
        for case .text(let sql) in attached.filter({ !Self.isManaged($0[0]) }).map({ $0[1] }) { try run(sql) }
        // The sequence continues, so that a generated key is never used again, even after its item is deleted.
        if let last = given.first?.first {
            try run("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", [last, table])
            try run(
                "INSERT INTO sqlite_sequence (name, seq) SELECT ?, ? "
                    + "WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?)", [table, last, table])
        }
        return count
    }

    private static func isManaged(_ name: SQLValue) -> Bool {
        if case .text(let name) = name { IndexShape.isManaged(name) } else { false }
    }

    func copy(_ old: TableShape, to new: TableShape, _ columns: [CopiedColumn]) throws(RepositoryError) -> Int {
        try run(sqlite.dialect.copy(columns, of: old.name, to: new.name).text)
        return sqlite.changes
    }
}

extension StorageClass {
    fileprivate var zero: String {
        switch self {
        case .integer: "0"
        case .real: "0.0"
        case .text: "''"
        case .blob: "x''"
        case .null: "NULL"
        }
    }
}
