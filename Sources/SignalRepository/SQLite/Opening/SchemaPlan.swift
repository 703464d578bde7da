/// What has to be done to a file so that its tables match the declared entities.
struct SchemaPlan: Sendable, Equatable {
    /// One step of the migration.
    struct Step: Sendable, Equatable {
        enum Kind: Sendable, Equatable {
            case createTable
            case addColumn
            case dropColumn
            case relaxColumn
            case createIndex
            case dropIndex
            case searchIndex
            /// The table's declaration is given what its columns mean.
            case describe
        }

        var kind: Kind
        /// What the step is about, for messages.
        var subject: String
        var sql: String
        /// Values for the statement's parameters.
        var values: [SQLValue] = []
        /// The dropped column, with its contents.
        var dropped: DroppedColumn?
        /// The column that becomes optional.
        var relaxed: RelaxedColumn?
    }

    var steps: [Step] = []
    /// What is not as it is declared, and cannot be inferred.
    private var differences: [String] = []
    /// The steps with which a program would make it so.
    private var remedies: [String] = []
    /// Whether the file is new and must be marked as ours.
    var isNew = false

    /// Determines the steps, or throws what cannot be inferred.
    ///
    /// Nothing is written.
    init(declared: [TableShape], file: FileShape) throws(RepositoryError) {
        isNew = file.isEmpty
        try Self.checkOrigin(file)
        for table in declared {
            try Self.checkReferences(table, declared: declared, file: file)
            if let item = file.item(named: table.name) {
                try compare(table, item)
            } else {
                add(.createTable, table.name, table.creation)
                for index in table.indexes { add(.createIndex, index.name, index.creation(on: table.name)) }
                // One that was left behind by a table that somebody dropped.
                if let stale = file.item(named: SearchIndex.name(of: table.name)) {
                    add(.searchIndex, stale.name, "DROP TABLE \(Identifier.quoted(stale.name))")
                }
                addSearch(of: table)
            }
        }
        // All of them, so that one migration can be written for all.
        guard !differences.isEmpty else { return }
        var detail = differences.joined(separator: "; ")
        if !remedies.isEmpty {
            detail += ": register Migration(\"…\") { store in \(remedies.joined(separator: "; ")) }"
        }
        throw .schemaMismatch(detail: detail)
    }

    /// Throws when something is missing that reading needs: a read-only connection cannot migrate.
    func checkReadable() throws(RepositoryError) {
        guard !isNew else { throw .schemaMismatch(detail: "the file is an empty database") }
        let missing = steps.first { step in
            switch step.kind {
            case .createTable, .addColumn: true
            case .searchIndex: !step.sql.hasPrefix("DROP")
            case .dropColumn, .relaxColumn, .createIndex, .dropIndex, .describe: false
            }
        }
        guard let missing else { return }
        throw .schemaMismatch(detail: "\(missing.subject) is missing; open the file for writing once to add it")
    }

    private mutating func add(_ kind: Step.Kind, _ subject: String, _ sql: String) {
        steps.append(Step(kind: kind, subject: subject, sql: sql))
    }
}

extension SchemaPlan {
    /// Throws when the file is not one of ours.
    static func checkOrigin(_ file: FileShape) throws(RepositoryError) {
        guard !file.isEmpty else { return }
        guard file.applicationID == FileShape.applicationID else {
            let names = file.items.prefix(5).map(\.name).joined(separator: ", ")
            let mark = file.applicationID == 0 ? "" : " (application \(file.applicationID))"
            let tables = names.isEmpty ? "" : ", with \(names)"
            throw .schemaMismatch(detail: "the file is the database of something else\(mark)\(tables)")
        }
        guard file.version == FileShape.version else {
            let which = file.version > FileShape.version ? "a newer version of this library" : "something else"
            throw .schemaMismatch(detail: "the file was laid out by \(which) (\(file.version))")
        }
    }

    private static func checkReferences(
        _ table: TableShape, declared: [TableShape], file: FileShape
    ) throws(RepositoryError) {
        for column in table.columns {
            guard let target = column.reference?.table else { continue }
            guard declared.contains(where: { $0.name == target }) || file.item(named: target) != nil else {
                throw .misuse(
                    detail: "\(table.name).\(column.name) refers to \(target), which is not among the entities")
            }
        }
    }

    private mutating func compare(_ table: TableShape, _ item: FileShape.Item) throws(RepositoryError) {
        guard item.name == table.name else {
            throw .schemaMismatch(detail: "the table \(item.name) is declared as \(table.name)")
        }
        guard item.kind == "table", item.hasRowNumbers, item.isStrict, let stored = item.shape else {
            let kind = item.kind == "table" ? "a table of another kind" : "a \(item.kind)"
            throw .schemaMismatch(detail: "\(table.name) is \(kind)")
        }
        let isKeyOfSameColumns = table.columns.filter(\.isKey).allSatisfy { key in
            stored.columns.contains { $0.isKey && $0.name == key.name }
        }
        if isKeyOfSameColumns, table.compositeKey != stored.compositeKey {
            let (declared, found) = (table.compositeKey, stored.compositeKey)
            differences.append(
                "\(table.name) is declared with the key \(declared.joined(separator: ", ")) and stored with "
                    + found.joined(separator: ", "))
            recreate(table.name)
        }
        // First, because it replaces the text that was read.
        if let text = stored.described(item.declaration, as: table) {
            steps.append(Step(kind: .describe, subject: table.name, sql: text))
        }
        let dropped = stored.columns.filter { column in !table.columns.contains { $0.name == column.name } }
        let isSearchSame = table.search.isSame(stored.search)
        // Before anything else: its triggers name columns.
        if !isSearchSame { dropSearch(of: stored) }
        dropIndexes(table, stored, dropped.map(\.name))
        for column in dropped { drop(column, of: table) }
        for column in table.columns {
            if let old = stored.columns.first(where: { $0.name == column.name }) {
                compare(column, old, of: table.name)
            } else {
                add(column, to: table)
            }
        }
        for index in table.indexes where !stored.indexes.contains(index) {
            add(.createIndex, index.name, index.creation(on: table.name))
        }
        if !isSearchSame { addSearch(of: table) }
    }

    private mutating func addSearch(of table: TableShape) {
        for sql in table.search.creation { add(.searchIndex, SearchIndex.name(of: table.name), sql) }
    }

    private mutating func dropSearch(of table: TableShape) {
        for sql in table.search.removal { add(.searchIndex, SearchIndex.name(of: table.name), sql) }
    }

    private mutating func compare(_ new: ColumnShape, _ old: ColumnShape, of table: String) {
        let name = "\(table).\(new.name)"
        let count = differences.count
        defer { if differences.count > count { change(new, old, of: table) } }
        if new.type != old.type {
            differences.append("\(name) is declared as \(new.type) and stored as \(old.type)")
        }
        // Of an older file, or a column that others made, it is not known.
        if new.type == old.type, let declared = new.meaning, let stored = old.meaning, declared != stored {
            let words =
                if case .scaled(let new) = declared, case .scaled(let old) = stored {
                    "declared with \(new) decimal places and stored with \(old)"
                } else {
                    "declared as \(declared.description) and stored as \(stored.description)"
                }
            differences.append("\(name) is \(words): every value would be read as another")
        }
        if new.isKey != old.isKey {
            differences.append("\(name) is \(old.isKey ? "" : "not ")the key of the stored table")
        }
        if new.isKey, old.isKey, new.isGenerated != old.isGenerated {
            differences.append(
                new.isGenerated
                    ? "\(name) is declared as generated and is not in the file"
                    : "\(name) is generated in the file and not declared as such")
        }
        if new.isOptional, !old.isOptional {
            let relaxed = RelaxedColumn(table: table, name: new.name)
            steps.append(Step(kind: .relaxColumn, subject: name, sql: "", relaxed: relaxed))
        } else if old.isOptional, !new.isOptional {
            differences.append("\(name) is declared as not optional and is optional in the file")
        }
        if new.reference != old.reference {
            let stored = old.reference?.declaration ?? "no reference"
            let declared = new.reference?.declaration ?? "no reference"
            differences.append("\(name) is declared with \(declared) and stored with \(stored)")
        }
    }

    /// Suggests the step for a column that differs.
    private mutating func change(_ new: ColumnShape, _ old: ColumnShape, of table: String) {
        if new.isKey || old.isKey { return recreate(table) }
        guard !old.type.hasPrefix("computed") else { return }
        remedies.append("try store.changeColumn(\\\(table).\(new.name), from: \(old.typeName).self) { … }")
    }

    /// Suggests the step for another key.
    private mutating func recreate(_ table: String) {
        let step = "try store.recreateTable(\(table).self)"
        if !remedies.contains(step) { remedies.append(step) }
    }

    private mutating func add(_ column: ColumnShape, to table: TableShape) {
        let name = "\(table.name).\(column.name)"
        if column.isKey {
            differences.append("\(name) is the key, and is missing")
            return recreate(table.name)
        }
        if let obstacle = column.obstacle {
            differences.append(name + obstacle)
            return remedies.append("try store.addColumn(\\\(name), value: …)")
        }
        add(.addColumn, name, column.addition(to: table.name))
        guard let value = column.defaultValue, value != .null else { return }
        // Written into every row: the literal of a declaration is not exact for every number, and hooks would not see a
        // value that exists only in the declaration.
        steps.append(Step(kind: .addColumn, subject: name, sql: column.filling(of: table.name), values: [value]))
    }

    private mutating func drop(_ column: ColumnShape, of table: TableShape) {
        let name = "\(table.name).\(column.name)"
        if column.isKey {
            differences.append("the stored key \(name) is not declared")
            return recreate(table.name)
        }
        let sql = ColumnShape.removal(of: column.name, from: table.name)
        let dropped = DroppedColumn(entity: table.name, name: column.name)
        steps.append(Step(kind: .dropColumn, subject: name, sql: sql, dropped: dropped))
    }

    /// Drops our indexes that are no longer declared, and every index of a dropped column.
    private mutating func dropIndexes(_ table: TableShape, _ stored: TableShape, _ dropped: [String]) {
        for index in stored.indexes where !table.indexes.contains(index) {
            let isOurs = IndexShape.isOurs(index.name)
            guard isOurs || index.columns.contains(where: dropped.contains) else { continue }
            add(.dropIndex, index.name, "DROP INDEX \(Identifier.quoted(index.name))")
        }
    }
}

extension ColumnShape {
    /// The type of property that the column's values are read as.
    fileprivate var typeName: String {
        let name =
            switch (type, meaning) {
            case ("INTEGER", .scaled(let places)?) where places > 0: "Decimal"
            case ("INTEGER", _): "Int"
            case ("REAL", .date?): "Date"
            case ("REAL", _): "Double"
            case ("BLOB", _): "Data"
            default: "String"
            }
        return isOptional ? name + "?" : name
    }

    /// Why the column is not added to a table with rows without being asked for; `nil` when it is.
    fileprivate var obstacle: String? {
        if !isOptional && defaultLiteral == nil {
            return " is new, not optional and without a default, as .default(…) gives one"
        }
        if reference == nil || isOptional && defaultLiteral == nil { return nil }
        return " is a new reference, and its default may refer to nothing"
    }
}

extension TableShape {
    /// The statement that created the table, with what its columns mean, as another table declares them, where it does
    /// not say so yet; `nil` where it does, and for columns that the library has not written.
    fileprivate func described(_ declaration: String, as declared: TableShape) -> String? {
        var text = declaration
        for column in declared.columns {
            guard let meaning = column.meaning, let old = columns.first(where: { $0.name == column.name }),
                old.meaning == nil, old.type == column.type
            else { continue }
            let name = Identifier.quoted(column.name)
            let places = text.ranges(of: "\(name) \(column.type)")
            guard places.count == 1 else { continue }
            text.replaceSubrange(places[0], with: "\(name) \(meaning.comment) \(column.type)")
        }
        return text == declaration ? nil : text
    }
}
