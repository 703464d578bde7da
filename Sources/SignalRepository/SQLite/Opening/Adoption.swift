/// How entities fit the tables of a file that something else has made.
///
/// Such a table need not be as the library would make it. It has to keep every value of a declared column as it is
/// given, to tell its rows apart by the declared key, and to take a new row of the declared columns alone. What is only
/// read may be a view.
struct Adoption {
    private(set) var tables: [String: AdoptedTable] = [:]
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
        guard let found = try TableDescription(table.name, in: connection) else {
            return differences.append("there is no table \(table.name)")
        }
        guard found.name == table.name else {
            return differences.append("the table \(found.name) is declared as \(table.name)")
        }
        guard found.kind == "table" || found.isView && access != .readWrite else {
            let detail =
                found.isView
                ? "view, which can be read and not written: open it with .readOnly"
                : "\(found.kind) table: read it with raw SQL, or declare a view of it and open the file with .readOnly"
            return differences.append("\(table.name) is a \(detail)")
        }
        tables[table.name] = AdoptedTable(found)
        if !table.search.isEmpty {
            differences.append("\(table.name) declares a search, for which the file would have to be changed")
        }
        let references = try connection.references(of: found.name)
        for column in table.columns { compare(column, of: table, found, references.single, access) }
        let uniqueSets = try found.uniqueSets(in: connection)
        try compareKey(table, found, uniqueSets, access, connection)
        // What would not be enforced must not be declared.
        let rules = table.checks.map(\.name) + table.indexes.filter { $0.isUnique && $0.definition != nil }.map(\.name)
        if access == .readWrite, !rules.isEmpty {
            differences.append(
                "\(table.name) declares \(rules.joined(separator: ", ")), for which the file would have to be changed")
        }
        for index in table.indexes
        where index.isUnique && index.definition == nil
            && !uniqueSets.contains(where: { $0.columns == Set(index.columns) && $0.isAsColumns })
        {
            differences.append(
                "\(table.name) declares \(index.columns.joined(separator: ", ")) as unique, and the table does not")
        }
        if !found.isView {
            for reference in table.references where !references.composite.contains(where: reference.isEnforced(by:)) {
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
        compareConflictClauses(table, found, connection)
    }

    private mutating func compareConflictClauses(
        _ table: TableShape, _ found: TableDescription, _ connection: Connection
    ) {
        if let hasConflictClauses = found.hasConflictClauses(in: connection) {
            tables[table.name]?.hasConflictClauses = hasConflictClauses
        } else {
            differences.append(
                "\(table.name) has ON CONFLICT clauses, by which a new row may replace others, and triggers whose "
                    + "statements have other ones: only read the file")
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
            differences.append("\(name) is computed by the table: declare it with computedBy:, or only read the file")
        }
        if !stored.isComputed, column.computation != nil {
            differences.append("\(name) is declared as computed, and the table does not compute it")
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
            // What is only read may be told apart by whatever does it now: in a view nothing else says it.
            if access != .readWrite {
                guard differences.isEmpty, try !connection.isDistinct(table.key, in: table.name) else { return }
                return differences.append("two rows of \(table.name) have the same \(names), or one has none")
            }
            let stored = found.key.isEmpty ? "no key" : "the key \(found.keyNames.joined(separator: ", "))"
            return differences.append("\(table.name) is declared with the key \(names), and stored with \(stored)")
        }
        // An upsert takes any unique index over the key's columns.
        if let (column, collation) = sets.lazy.compactMap(\.collated).first {
            differences.append(
                "\(table.name).\(column) is a key whose values are compared by \(collation): two ids that differ would "
                    + "be one")
        }
        let generated = table.columns.first { $0.isGenerated }
        if let generated, found.numberedKey.map({ found.columns[$0].name }) != generated.name {
            differences.append("\(table.name).\(generated.name) is declared as generated, and the table does not do so")
        }
    }
}

extension TableDescription.Column {
    /// Whether values of a class are kept as they are given, or refused where they are not.
    fileprivate func keeps(_ storageClass: StorageClass, isStrict: Bool) -> Bool {
        let word = type.uppercased()
        if isStrict, word != "ANY" {
            return word == storageClass.declaration || word == "INT" && storageClass == .integer
        }
        return switch (storageClass, affinity) {
        case (.blob, _), (_, .blob), (.integer, .integer), (.integer, .numeric), (.real, .real), (.text, .text):
            true
        // A whole number becomes an integer there, and is read as the number that it was.
        case (.real, .numeric): true
        // Few dates and times look like a number, and those are refused when they are written.
        case (.text, .numeric): word.contains("DATE") || word.contains("TIME")
        default: false
        }
    }
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

extension CompositeReferenceShape {
    fileprivate func isEnforced(by other: CompositeReferenceShape) -> Bool {
        columns == other.columns && reference.table == other.reference.table
            && reference.effect == other.reference.effect
    }
}

extension ReferenceShape {
    /// The rule, by what becomes of a deletion: two words refuse it.
    fileprivate var effect: String { rule == "RESTRICT" ? "NO ACTION" : rule }
}
