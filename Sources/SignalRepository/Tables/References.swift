/// A foreign key, as found in a file.
struct FileReference: Sendable {
    let table: String
    var columns: [String]
    let target: String
    /// The columns of the target table that the foreign key refers to.
    var keys: [String]
    let onDelete: String
    let onUpdate: String

    /// Returns the columns for an error about `table`; they are qualified if the foreign key belongs to another table.
    func names(for table: String?) -> [String] {
        if let table, Identifier.key(table) == Identifier.key(self.table) { return columns }
        return columns.map { "\(self.table).\($0)" }
    }
}

/// The foreign keys in a store, used to find the foreign key that rejected a change.
///
/// SQLite undoes the change, and then reports only that some foreign key rejected it. Each search uses an index, so an
/// error about many rejected items does not scan whole tables for each item.
struct References {
    private let all: [FileReference]

    init(_ connection: Connection) throws(RepositoryError) {
        let rows = try connection.rows(
            """
            SELECT t.name, k.id, k."from", k."table", k."to", k.on_delete, k.on_update \
            FROM sqlite_schema AS t JOIN pragma_foreign_key_list(t.name) AS k WHERE t.type = 'table' \
            ORDER BY t.name, k.id, k.seq
            """)
        var all: [FileReference] = []
        var last: (table: SQLValue, number: SQLValue)?
        for row in rows {
            let texts = row.map { value in if case .text(let text) = value { text } else { "" } }
            if let last, last.table == row[0], last.number == row[1] {
                all[all.count - 1].columns.append(texts[2])
                all[all.count - 1].keys.append(texts[4])
            } else {
                all.append(
                    FileReference(
                        table: texts[0], columns: [texts[2]], target: texts[3], keys: [texts[4]], onDelete: texts[5],
                        onUpdate: texts[6]))
            }
            last = (row[0], row[1])
        }
        for index in all.indices where all[index].keys == [""] || all[index].keys.allSatisfy(\.isEmpty) {
            all[index].keys = try Self.key(of: all[index].target, connection)
        }
        self.all = all
    }

    private static func key(of table: String, _ connection: Connection) throws(RepositoryError) -> [String] {
        try connection.texts("SELECT name FROM pragma_table_info(?) WHERE pk ORDER BY pk", [.text(table)])
    }

    func outgoing(_ table: String) -> [FileReference] {
        all.filter { Identifier.key($0.table) == Identifier.key(table) }
    }

    private func incoming(_ table: String) -> [FileReference] {
        all.filter { Identifier.key($0.target) == Identifier.key(table) }
    }

    func targets(of table: String) -> [String] { outgoing(table).map(\.target) }

    /// Returns, for each foreign key of a table, its columns and a query for the rows that refer to a missing row.
    func broken(in table: String, selecting names: String) -> [(columns: [String], query: String)] {
        outgoing(table).map { reference in
            let columns = reference.columns.map { "child.\(Identifier.quoted($0))" }
            let isGiven = columns.map { "\($0) IS NOT NULL AND " }.joined()
            let isSame = zip(reference.keys, columns).map { "parent.\(Identifier.quoted($0)) = \($1)" }
            let parent = "SELECT 1 FROM \(Identifier.quoted(reference.target)) AS parent"
            let query =
                "SELECT \(names) FROM \(Identifier.quoted(table)) AS child "
                + "WHERE \(isGiven)NOT EXISTS (\(parent) WHERE \(isSame.joined(separator: " AND ")))"
            return (reference.names(for: table), query)
        }
    }

    /// Returns the columns of the only foreign key from or to the given tables; empty unless there is exactly one.
    func only(of tables: Set<String>) -> [String] {
        let candidates = all.filter { reference in
            tables.contains { Identifier.key($0) == Identifier.key(reference.table) }
                || tables.contains { Identifier.key($0) == Identifier.key(reference.target) }
        }
        return candidates.count == 1 ? candidates[0].names(for: nil) : []
    }

    /// Returns the columns of the first foreign key that a row would violate; `values` returns the row's known values.
    func broken(
        by values: (_ column: String) -> SQLValue?, in table: String, _ connection: Connection
    ) throws(RepositoryError) -> [String]? {
        for reference in outgoing(table) {
            let row = reference.columns.compactMap(values)
            guard row.count == reference.columns.count, !row.contains(.null) else { continue }
            let isItself = Identifier.key(reference.target) == Identifier.key(table)
            if isItself, reference.keys.map(values) == row { continue }
            let keys = Identifier.test(reference.keys)
            let found = try connection.rows("SELECT 1 FROM \(Identifier.quoted(reference.target)) WHERE \(keys)", row)
            if found.isEmpty { return reference.names(for: table) }
        }
        return nil
    }

    /// Returns the columns of a foreign key that prevents the deletion of rows, or a change of their keys.
    ///
    /// The foreign key may refer to these rows, or to rows to which the deletion would cascade.
    func keeping(
        _ rows: SQLText, of table: String, isDeletion: Bool, _ connection: Connection
    ) throws(RepositoryError) -> [String]? {
        try keeping(rows, of: table, for: table, isDeletion, [], connection)
    }

    private func keeping(
        _ rows: SQLText, of table: String, for origin: String, _ isDeletion: Bool, _ path: Set<[UInt8]>,
        _ connection: Connection
    ) throws(RepositoryError) -> [String]? {
        for reference in incoming(table) {
            let condition: SQLText = """
                 WHERE (\(names: reference.columns)) IN (SELECT \(names: reference.keys) FROM \(name: table)\(rows))
                """
            switch isDeletion ? reference.onDelete : reference.onUpdate {
            case "RESTRICT", "NO ACTION":
                let sql: SQLText = "SELECT 1 FROM \(name: reference.table)\(condition) LIMIT 1"
                if try !connection.rows(sql.text, sql.bindings).isEmpty { return reference.names(for: origin) }
            case "CASCADE" where isDeletion && !path.contains(Identifier.key(reference.table)):
                let path = path.union([Identifier.key(table)])
                let found = try keeping(condition, of: reference.table, for: origin, isDeletion, path, connection)
                if let found { return found }
            default: break
            }
        }
        return nil
    }
}

extension Connection {
    func brokenReferences() throws(RepositoryError) -> [StoreCheck.BrokenReference] {
        let tables = try texts(
            """
            SELECT DISTINCT t.name FROM sqlite_schema AS t JOIN pragma_foreign_key_list(t.name) \
            WHERE t.type = 'table' ORDER BY t.name
            """)
        var broken: [StoreCheck.BrokenReference] = []
        for table in tables {
            do {
                let rows = try rows(
                    "SELECT parent, count(*) FROM pragma_foreign_key_check(?) GROUP BY 1", [.text(table)])
                for case (.text(let target), .integer(let count)) in rows.map({ ($0[0], $0[1]) }) {
                    broken.append(.init(table: table, target: target, rows: Int(count), isResolvable: true))
                }
            } catch .misuse {
                // If a foreign key refers to columns that are neither a key nor unique, SQLite checks no foreign key of
                // its table.
                broken += try impossibleReferences(of: table)
            }
        }
        return broken
    }

    /// Returns, as faults, the foreign keys of a table that refer to columns that are neither a key nor unique.
    private func impossibleReferences(of table: String) throws(RepositoryError) -> [StoreCheck.BrokenReference] {
        let references = try References(self).outgoing(table)
        var broken: [StoreCheck.BrokenReference] = []
        for reference in references where try !isUnique(reference.keys, in: reference.target) {
            let isGiven = reference.columns.map { "\(Identifier.quoted($0)) IS NOT NULL" }.joined(separator: " AND ")
            let count = try integer("SELECT count(*) FROM \(Identifier.quoted(table)) WHERE \(isGiven)")
            broken.append(.init(table: table, target: reference.target, rows: Int(count), isResolvable: false))
        }
        return broken
    }

    /// Whether the columns are a table's primary key, or have a unique index of all rows, as a foreign key requires.
    private func isUnique(_ columns: [String], in table: String) throws(RepositoryError) -> Bool {
        let names = Set(columns.map(Identifier.key))
        let key = try texts("SELECT name FROM pragma_table_info(?) WHERE pk", [.text(table)])
        if !key.isEmpty, Set(key.map(Identifier.key)) == names { return true }
        let indexes = try texts(
            "SELECT name FROM pragma_index_list(?) WHERE \"unique\" AND NOT partial", [.text(table)])
        for index in indexes {
            let found = try texts("SELECT coalesce(name, '') FROM pragma_index_info(?)", [.text(index)])
            if Set(found.map(Identifier.key)) == names { return true }
        }
        return false
    }
}
