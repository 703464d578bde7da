import CSQLite

/// How entities fit the tables of a file that something else has made.
///
/// Such a table need not be as the library would make it. It has to keep every value of a declared column as it is
/// given, to tell its rows apart by the declared key, and to take a new row of the declared columns alone. What is only
/// read may be a view.
struct Adoption {
    /// The tables that have no numbers for their rows, which are put in order by their keys.
    private(set) var tablesWithoutNumbers: Set<String> = []
    private var differences: [String] = []

    /// Compares the tables of entities with those of a file, or throws all that does not fit.
    init(
        _ entities: [any Entity.Type], _ access: StoreAccess, in connection: Connection
    ) throws(RepositoryError) {
        guard try !connection.isOfStore() else {
            throw .misuse(detail: "the file is a store of this library: open it as .file, and nobody else writes to it")
        }
        for table in try TableShape.tables(of: entities, in: SQLiteTypes()) {
            try compare(table, access, connection)
        }
        guard differences.isEmpty else { throw .schemaMismatch(detail: differences.joined(separator: "; ")) }
    }

    private mutating func compare(
        _ table: TableShape, _ access: StoreAccess, _ connection: Connection
    ) throws(RepositoryError) {
        guard let found = try AdoptedTable(table.name, in: connection) else {
            return differences.append("there is no table \(table.name)")
        }
        guard found.name == table.name else {
            return differences.append("the table \(found.name) is declared as \(table.name)")
        }
        guard found.kind == "table" || found.isView && access != .readWrite else {
            let detail = found.isView ? ", which can be read and not written: open it with .readOnly" : ""
            return differences.append("\(table.name) is a \(found.kind)\(detail)")
        }
        if !found.hasRowNumbers { tablesWithoutNumbers.insert(table.name) }
        if !table.search.isEmpty {
            differences.append("\(table.name) declares a search, for which the file would have to be changed")
        }
        for column in table.columns { compare(column, of: table, found, access) }
        try compareKey(table, found, access, connection)
        // What would not be enforced must not be declared.
        let rules = table.checks.map(\.name) + table.indexes.filter { $0.isUnique && $0.definition != nil }.map(\.name)
        if access == .readWrite, !rules.isEmpty {
            differences.append(
                "\(table.name) declares \(rules.joined(separator: ", ")), for which the file would have to be changed")
        }
        for index in table.indexes
        where index.isUnique && index.definition == nil && !found.isUnique(index.columns) {
            differences.append(
                "\(table.name) declares \(index.columns.joined(separator: ", ")) as unique, and the table does not")
        }
        if !found.isView {
            for reference in table.references where !found.has(reference) {
                differences.append("\(table.name) is declared with \(reference.declaration), and the table is not")
            }
        }
        guard access == .readWrite else { return }
        for column in found.columns
        where column.isRequired && !table.columns.contains(where: { $0.name == column.name }) {
            differences.append(
                "\(table.name).\(column.name) is not declared, and a row needs a value for it, because it is NOT NULL "
                    + "without a default")
        }
    }

    private mutating func compare(
        _ column: ColumnShape, of table: TableShape, _ found: AdoptedTable, _ access: StoreAccess
    ) {
        let name = "\(table.name).\(column.name)"
        guard let stored = found.columns.first(where: { $0.name == column.name }) else {
            return differences.append("there is no column \(name)")
        }
        if stored.isComputed, column.computation == nil, access == .readWrite {
            differences.append("\(name) is computed by the table: declare it with computedBy:, or only read the file")
        }
        if !stored.isComputed, column.computation != nil {
            differences.append("\(name) is declared as computed, and the table does not compute it")
        }
        if let storageClass = column.storageClass, !stored.keeps(storageClass, isStrict: found.isStrict) {
            let type = stored.type.isEmpty ? "without a type" : "as \(stored.type)"
            differences.append("\(name) is declared as \(column.type) and stored \(type), which would change values")
        }
        guard let reference = column.reference, !found.isView else { return }
        let other = found.references.single[column.name]
        guard other?.table != reference.table || other?.effect != reference.effect else { return }
        differences.append(
            "\(name) is declared with \(reference.declaration) and stored with \(other?.declaration ?? "no reference")")
    }

    private mutating func compareKey(
        _ table: TableShape, _ found: AdoptedTable, _ access: StoreAccess, _ connection: Connection
    ) throws(RepositoryError) {
        let names = table.key.joined(separator: ", ")
        guard found.key == table.key || found.isUnique(table.key) else {
            // What is only read may be told apart by whatever does it now: in a view nothing else says it.
            if access != .readWrite {
                guard differences.isEmpty, try !connection.isDistinct(table.key, in: table.name) else { return }
                return differences.append("two rows of \(table.name) have the same \(names), or one has none")
            }
            let stored = found.key.isEmpty ? "no key" : "the key \(found.key.joined(separator: ", "))"
            return differences.append("\(table.name) is declared with the key \(names), and stored with \(stored)")
        }
        for column in found.columns where table.key.contains(column.name) && column.collation != "BINARY" {
            differences.append(
                "\(table.name).\(column.name) is a key whose values are compared by \(column.collation): two ids that "
                    + "differ would be one")
        }
        let generated = table.columns.first { $0.isGenerated }
        if let generated, found.numberedKey != generated.name {
            differences.append("\(table.name).\(generated.name) is declared as generated, and the table does not do so")
        }
    }
}

/// A table of a file that something else has made, as far as it matters to those who read and write it.
private struct AdoptedTable {
    struct Column {
        let name: String
        let type: String
        let collation: String
        let isComputed: Bool
        /// Whether a row cannot be inserted without a value for it.
        let isRequired: Bool

        /// Whether every value of a class is kept as it is given.
        func keeps(_ storageClass: StorageClass, isStrict: Bool) -> Bool {
            let word = type.uppercased()
            if isStrict, word != "ANY" {
                return word == storageClass.declaration || word == "INT" && storageClass == .integer
            }
            let affinity = isStrict ? .blob : ColumnAffinity(declaration: type)
            return switch (storageClass, affinity) {
            case (.blob, _), (_, .blob), (.integer, .integer), (.integer, .numeric), (.real, .real), (.text, .text):
                true
            // A whole number becomes an integer there, and is read as the number that it was.
            case (.real, .numeric): true
            // No date and no time looks like a number.
            case (.text, .numeric): word.contains("DATE") || word.contains("TIME")
            default: false
            }
        }
    }

    let name: String
    /// "table", "view", "virtual" or "shadow".
    let kind: String
    let hasRowNumbers: Bool
    let isStrict: Bool
    var isView: Bool { kind == "view" }
    private(set) var columns: [Column] = []
    /// The columns of the key, in its order.
    private(set) var key: [String] = []
    /// The column that is the number of a row, which SQLite gives where none is given.
    private(set) var numberedKey: String?
    private(set) var references: (single: [String: ReferenceShape], composite: [CompositeReferenceShape]) = ([:], [])
    private var uniqueSets: [Set<String>] = []

    init?(_ name: String, in connection: Connection) throws(RepositoryError) {
        let tables = try connection.rows(
            "SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = 'main' AND name = ? COLLATE NOCASE",
            [.text(name)])
        guard let row = tables.first, case .text(let found) = row[0], case .text(let kind) = row[1] else { return nil }
        (self.name, self.kind) = (found, kind)
        (hasRowNumbers, isStrict) = (row[2] == .integer(0) && kind != "view", row[3] == .integer(1))
        try readColumns(connection)
        references = try connection.references(of: self.name)
        try readUniqueSets(connection)
    }

    private mutating func readColumns(_ connection: Connection) throws(RepositoryError) {
        let rows = try connection.rows(
            "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?)", [.text(name)])
        var key: [(order: Int64, column: Column)] = []
        for row in rows {
            guard case .text(let columnName) = row[0], case .text(let type) = row[1] else { continue }
            let (isKey, isComputed) = (row[4] != .integer(0), row[5] != .integer(0))
            let column = Column(
                name: columnName, type: type, collation: connection.collation(of: columnName, in: name),
                isComputed: isComputed,
                isRequired: row[2] != .integer(0) && row[3] == .null && !isKey && !isComputed)
            columns.append(column)
            if case .integer(let order) = row[4], order > 0 { key.append((order, column)) }
        }
        self.key = key.sorted { $0.order < $1.order }.map(\.column.name)
        if hasRowNumbers, key.count == 1, key[0].column.type.uppercased() == "INTEGER" { numberedKey = self.key[0] }
    }

    private mutating func readUniqueSets(_ connection: Connection) throws(RepositoryError) {
        let indexes = try connection.texts(
            "SELECT name FROM pragma_index_list(?) WHERE \"unique\" AND NOT partial", [.text(name)])
        for index in indexes {
            uniqueSets.append(Set(try connection.texts("SELECT name FROM pragma_index_info(?)", [.text(index)])))
        }
    }

    func has(_ reference: CompositeReferenceShape) -> Bool {
        references.composite.contains { other in
            other.columns == reference.columns && other.reference.table == reference.reference.table
                && other.reference.effect == reference.reference.effect
        }
    }

    /// Whether no two rows have the same values in some columns.
    func isUnique(_ names: [String]) -> Bool { Set(names) == Set(key) || uniqueSets.contains(Set(names)) }
}

extension Connection {
    /// Whether the rows of a table or view have different values in some columns, and none has NULL there.
    fileprivate func isDistinct(_ columns: [String], in table: String) throws(RepositoryError) -> Bool {
        let (names, table) = (Identifier.list(columns), Identifier.quoted(table))
        let hasNull = columns.map { "\(Identifier.quoted($0)) IS NULL" }.joined(separator: " OR ")
        let sql = """
            SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(hasNull)) \
            OR EXISTS (SELECT 1 FROM \(table) GROUP BY \(names) HAVING count(*) > 1)
            """
        return try integer(sql) == 0
    }
}

extension ReferenceShape {
    /// The rule, by what becomes of a deletion: two words refuse it.
    fileprivate var effect: String { rule == "RESTRICT" ? "NO ACTION" : rule }
}
