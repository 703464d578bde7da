/// The tables of another program's file that fit the declared entities.
///
/// A table may differ from one that the library would create. It must store the values of declared columns unchanged,
/// identify its rows by the declared key, and accept a new row with only the declared columns. A view is accepted if
/// the file is opened for reading.
struct Adoption {
    private(set) var tables: [String: AdoptedTable] = [:]
    private var differences: [String] = []

    /// Compares the tables of entities with those of a file, and throws one error with all differences.
    init(
        _ entities: [any Entity.Type], _ access: StoreAccess, in connection: Connection
    ) throws(RepositoryError) {
        guard try !connection.isOfStore() else {
            throw .misuse(detail: "the file is a store of this library: open it as .file instead of adopting it")
        }
        for table in try TableShape.tables(of: entities, in: SQLiteTypes()) {
            try compare(table, access, connection)
        }
        guard differences.isEmpty else { throw .schemaMismatch(detail: differences.joined(separator: "; ")) }
    }

    private mutating func compare(
        _ table: TableShape, _ access: StoreAccess, _ connection: Connection
    ) throws(RepositoryError) {
        guard let found = try TableDescription(table.name, in: connection) else {
            return differences.append("there is no table \(table.name)")
        }
        guard found.name == table.name else {
            return differences.append("the table \(found.name) is declared as \(table.name)")
        }
        guard found.kind == "table" || found.isView && access != .readWrite else {
            let detail =
                found.isView
                ? "view, which cannot be written: open the file with .readOnly"
                : "\(found.kind) table: read it with raw SQL, or declare a view of it and open the file with .readOnly"
            return differences.append("\(table.name) is a \(detail)")
        }
        tables[table.name] = AdoptedTable(found)
        if !table.search.isEmpty {
            differences.append("\(table.name) declares a search, which would require changing the file")
        }
        let references = try connection.references(of: found.name)
        for column in table.columns { compare(column, of: table, found, references.single, access) }
        let uniqueSets = try found.uniqueSets(in: connection)
        try compareKey(table, found, uniqueSets, access, connection)
        // Another program's file does not enforce these checks and indexes, and the library must not add them.
        let rules = table.checks.map(\.name) + table.indexes.filter { $0.isUnique && $0.definition != nil }.map(\.name)
        if access == .readWrite, !rules.isEmpty {
            differences.append(
                "\(table.name) declares \(rules.joined(separator: ", ")), which would require changing the file")
        }
        for index in table.indexes
        where index.isUnique && index.definition == nil
            && !uniqueSets.contains(where: { $0.columns == Set(index.columns) && $0.usesColumnCollations })
        {
            differences.append(
                "\(table.name) declares \(index.columns.joined(separator: ", ")) as unique, but the table does not")
        }
        if !found.isView {
            for reference in table.references where !references.composite.contains(where: reference.isEnforced(by:)) {
                differences.append("\(table.name) declares \(reference.declaration), but the table does not")
            }
        }
        guard access == .readWrite else { return }
        for column in found.columns
        where column.isRequired && !table.columns.contains(where: { $0.name == column.name }) {
            differences.append(
                "\(table.name).\(column.name) is not declared, and a row needs a value for it, because it is NOT NULL "
                    + "without a default")
        }
        compareConflictClauses(table, found, connection)
    }

    private mutating func compareConflictClauses(
        _ table: TableShape, _ found: TableDescription, _ connection: Connection
    ) {
        if let hasConflictClauses = found.hasConflictClauses(in: connection) {
            tables[table.name]?.hasConflictClauses = hasConflictClauses
        } else {
            differences.append(
                "\(table.name) has ON CONFLICT clauses, by which a new row may replace others, and triggers with other "
                    + "clauses: open the file with .readOnly")
        }
    }

    private mutating func compare(
        _ column: ColumnShape, of table: TableShape, _ found: TableDescription, _ references: [String: ReferenceShape],
        _ access: StoreAccess
    ) {
        let name = "\(table.name).\(column.name)"
        guard let stored = found.columns.first(where: { $0.name == column.name }) else {
            return differences.append("there is no column \(name)")
        }
        if stored.isComputed, column.computation == nil, access == .readWrite {
            differences.append(
                "\(name) is computed by the table: declare it with computedBy:, or open the file with .readOnly")
        }
        if !stored.isComputed, column.computation != nil {
            differences.append("\(name) is declared as computed, but the table does not compute it")
        }
        if let storageClass = column.storageClass, !stored.keeps(storageClass, isStrict: found.isStrict) {
            let type = stored.type.isEmpty ? "without a type" : "as \(stored.type)"
            differences.append("\(name) is declared as \(column.type) and stored \(type), which would change values")
        } else if column.storageClass == .text, stored.affinity == .numeric {
            tables[table.name]?.convertingColumns.insert(column.name)
        }
        guard let reference = column.reference, !found.isView else { return }
        let other = references[column.name]
        guard other?.table != reference.table || other?.effect != reference.effect else { return }
        differences.append(
            "\(name) is declared with \(reference.declaration) and stored with \(other?.declaration ?? "no reference")")
    }

    private mutating func compareKey(
        _ table: TableShape, _ found: TableDescription, _ uniqueSets: [TableDescription.UniqueSet],
        _ access: StoreAccess, _ connection: Connection
    ) throws(RepositoryError) {
        let names = table.key.joined(separator: ", ")
        let sets = uniqueSets.filter { $0.columns == Set(table.key) }
        guard !sets.isEmpty else {
            // A view has no unique index. So for reading, it is enough that no two rows have the same key now.
            if access != .readWrite {
                guard differences.isEmpty, try !connection.isDistinct(table.key, in: table.name) else { return }
                return differences.append("two rows of \(table.name) have the same \(names), or one has none")
            }
            let stored = found.key.isEmpty ? "no key" : "the key \(found.keyNames.joined(separator: ", "))"
            return differences.append("\(table.name) is declared with the key \(names), and stored with \(stored)")
        }
        // An upsert may use any unique index over the key's columns. So no such index may treat different ids as equal.
        if let (column, collation) = sets.lazy.compactMap(\.collated).first {
            differences.append(
                "\(table.name).\(column) is a key whose values are compared by \(collation), so different ids can be "
                    + "equal")
        }
        let generated = table.columns.first { $0.isGenerated }
        if let generated, found.rowIDAlias.map({ found.columns[$0].name }) != generated.name {
            differences.append("\(table.name).\(generated.name) is declared as generated, but the table does not do so")
        }
    }
}

extension TableDescription.Column {
    /// Whether the column stores values of a class unchanged, or rejects values that it would change.
    fileprivate func keeps(_ storageClass: StorageClass, isStrict: Bool) -> Bool {
        let word = type.uppercased()
        if isStrict, word != "ANY" {
            return word == storageClass.declaration || word == "INT" && storageClass == .integer
        }
        return switch (storageClass, affinity) {
        case (.blob, _), (_, .blob), (.integer, .integer), (.integer, .numeric), (.real, .real), (.text, .text):
            true
        // A whole number is stored as an integer, and read back as the same number.
        case (.real, .numeric): true
        // A date or time rarely looks like a number. If one does, writing it fails.
        case (.text, .numeric): word.contains("DATE") || word.contains("TIME")
        default: false
        }
    }
}

extension Connection {
    /// Whether no two rows have the same values in the columns, and no value is NULL.
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

extension CompositeReferenceShape {
    fileprivate func isEnforced(by other: CompositeReferenceShape) -> Bool {
        columns == other.columns && reference.table == other.reference.table
            && reference.effect == other.reference.effect
    }
}

extension ReferenceShape {
    /// The delete rule, with NO ACTION in place of RESTRICT, because both reject the deletion.
    fileprivate var effect: String { rule == "RESTRICT" ? "NO ACTION" : rule }
}
