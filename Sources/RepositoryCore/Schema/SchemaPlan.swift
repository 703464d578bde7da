/// The steps that make the tables of a store match the declared entities.
package struct SchemaPlan: Sendable, Equatable {
    package struct Step: Sendable, Equatable {
        package let change: SchemaChange
        /// The name of the changed table, column or index, for messages.
        package let subject: String
        /// The column that is dropped with its values, if any.
        var dropped: DroppedColumn?
        /// The source text of a migration that would keep the values under another name.
        var rename: String?
    }

    private struct View: Equatable {
        let shape: TableShape
        let isStored: Bool
        let isSame: Bool
    }

    package private(set) var steps: [Step] = []
    /// The declared views.
    private var views: [View] = []
    /// The differences from the declaration that no inferred step resolves.
    private var differences: [String] = []
    /// The source texts of migrations that would resolve the differences.
    private var remedies: [String] = []
    /// The source texts to use instead if a column that looks renamed is in fact new.
    private var alternatives: [String] = []
    /// Whether the store is new and must be marked as a store of this library.
    package let isNew: Bool
    /// The word for the store in messages, such as "file".
    private let noun: String
    private let emptiness: String

    /// Determines the steps, or throws the differences that no inferred step resolves.
    ///
    /// The initializer writes nothing to the store.
    package init(declared: [TableShape], stored: any StoredShape) throws(RepositoryError) {
        (isNew, noun, emptiness) = (stored.isNew, stored.noun, stored.emptiness)
        try stored.check()
        for table in declared {
            try Self.checkReferences(table, declared: declared, stored)
            let search = stored.search(of: table)
            if let found = stored.table(named: table.name) {
                try compare(table, found, search)
            } else {
                if table.view != nil {
                    views.append(View(shape: table, isStored: false, isSame: false))
                    continue
                }
                add(.createTable(table), table.name)
                for index in table.indexes { add(.createIndex(index, of: table), index.name) }
                // A dropped table may have left its full-text index behind.
                if search == .other { dropSearch(of: table) }
                if search != .none { addSearch(of: table) }
            }
        }
        replaceViews()
        // The error lists all differences, so that one migration can resolve them.
        guard !differences.isEmpty else { return }
        var detail = differences.joined(separator: "; ")
        if !remedies.isEmpty {
            detail += ": register Migration(\"…\") { store in \(remedies.joined(separator: "; ")) }"
            if !alternatives.isEmpty { detail += " (\(alternatives.joined(separator: "; ")))" }
        }
        throw .schemaMismatch(detail: detail)
    }

    /// Throws if a table, column, full-text index or view is missing, because a read-only connection cannot add it.
    func checkReadable() throws(RepositoryError) {
        guard !isNew else { throw .schemaMismatch(detail: emptiness) }
        let missing = steps.first { step in
            switch step.change {
            case .createTable, .addColumn, .createSearch, .createView: true
            default: false
            }
        }
        guard let missing else { return }
        throw .schemaMismatch(detail: "\(missing.subject) is missing; open the \(noun) for writing once to add it")
    }

    private mutating func add(_ change: SchemaChange, _ subject: String) {
        steps.append(Step(change: change, subject: subject))
    }
}

extension SchemaPlan {
    private static func checkReferences(
        _ table: TableShape, declared: [TableShape], _ stored: any StoredShape
    ) throws(RepositoryError) {
        let single = table.columns.compactMap { column in column.reference.map { ([column.name], $0.table) } }
        for (columns, target) in single + table.references.map({ ($0.columns, $0.reference.table) }) {
            let name = "\(table.name).\(columns.joined(separator: ", "))"
            let known = declared.first { $0.name == target }
            guard known != nil || stored.table(named: target) != nil else {
                throw .misuse(detail: "\(name) refers to \(target), which is not among the entities")
            }
            if known?.view != nil { throw .misuse(detail: "\(name) refers to \(target), which is a view") }
        }
    }

    private mutating func compare(
        _ table: TableShape, _ found: StoredTable, _ search: SearchDifference
    ) throws(RepositoryError) {
        guard found.name == table.name else {
            throw .schemaMismatch(detail: "the table \(found.name) is declared as \(table.name)")
        }
        if let view = table.view {
            guard found.isView else {
                throw .schemaMismatch(detail: "\(table.name) is declared as a view, but is a table")
            }
            return views.append(View(shape: table, isStored: true, isSame: found.shape?.view == view))
        }
        guard found.fault == nil, let stored = found.shape else {
            throw .schemaMismatch(detail: "\(table.name) is \(found.fault ?? "not a table")")
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
        // This step comes first, because it may replace the text of the table's declaration.
        describe(table, found)
        let renames = ColumnRenames(declared: table.columns, stored: stored.columns)
        // The full-text index is dropped before columns change, because its triggers name the columns.
        if search == .other { dropSearch(of: table) }
        dropIndexes(table, stored, renames.dropped.map(\.name))
        for check in stored.checks where !table.checks.contains(check) && CheckShape.isManaged(check.name) {
            add(.dropCheck(check, of: table), check.name)
        }
        compareReferences(table, stored)
        for column in renames.dropped { drop(column, of: table, renames) }
        let columns = Dictionary(stored.columns.map { ($0.name, $0) }) { first, _ in first }
        for column in table.columns {
            if let old = columns[column.name] {
                compare(column, old, of: table.name)
            } else {
                add(column, to: table, renames)
            }
        }
        for index in table.indexes where !stored.indexes.contains(index) {
            add(.createIndex(index, of: table), index.name)
        }
        for check in table.checks where !stored.checks.contains(check) { add(.addCheck(check, to: table), check.name) }
        if search != .none { addSearch(of: table) }
    }

    /// Recreates all views if one is missing or different, because a view may read any table and the views before it.
    private mutating func replaceViews() {
        if views.allSatisfy(\.isSame) { return }
        let drops = views.reversed().filter(\.isStored).map { view in
            Step(change: .dropView(view.shape.name), subject: view.shape.name)
        }
        // The views are dropped first, because they may read a column that another step drops.
        steps = drops + steps + views.map { Step(change: .createView($0.shape), subject: $0.shape.name) }
    }

    private mutating func compareReferences(_ table: TableShape, _ stored: TableShape) {
        for (one, other, words) in [
            (table, stored, ("declared", "not stored")), (stored, table, ("stored", "not declared")),
        ] {
            for reference in one.references where !other.references.contains(reference) {
                differences.append("\(reference.declaration) of \(table.name) is \(words.0) and \(words.1)")
                recreate(table.name)
            }
        }
    }

    private mutating func describe(_ table: TableShape, _ found: StoredTable) {
        let columns = table.columns.filter { column in
            column.meaning.map { !$0.isEncrypted } == true && found.undescribed.contains(column.name)
                && found.shape?.columns.contains { $0.name == column.name && $0.type == column.type } == true
        }
        if !columns.isEmpty { add(.describe(columns, of: table.name), table.name) }
    }

    private mutating func addSearch(of table: TableShape) {
        if !table.search.isEmpty { add(.createSearch(table), SearchIndex.name(of: table.name)) }
    }

    private mutating func dropSearch(of table: TableShape) {
        add(.dropSearch(table.name), SearchIndex.name(of: table.name))
    }

    private mutating func compare(_ new: ColumnShape, _ old: ColumnShape, of table: String) {
        let name = "\(table).\(new.name)"
        guard new.computation == old.computation else {
            let descriptions = [new, old].map { column in
                column.computation.map { "computed \(column.type) (\($0))" } ?? column.type
            }
            differences.append("\(name) is declared as \(descriptions[0]) and stored as \(descriptions[1])")
            return recreate(table)
        }
        let count = differences.count
        defer { if differences.count > count { change(new, old, of: table) } }
        if new.type != old.type {
            differences.append("\(name) is declared as \(new.type) and stored as \(old.type)")
        }
        if new.type == old.type, !ColumnMeaning.agree(new.meaning, old.meaning) {
            differences.append("\(name) is " + Self.difference(new.meaning, old.meaning))
        }
        if new.isKey != old.isKey {
            differences.append("\(name) is \(old.isKey ? "" : "not ")the key of the stored table")
        }
        if new.isKey, old.isKey, new.isGenerated != old.isGenerated {
            differences.append(
                new.isGenerated
                    ? "\(name) is declared as generated and is not in the \(noun)"
                    : "\(name) is generated in the \(noun) and not declared as such")
        }
        if new.isOptional, !old.isOptional {
            add(.dropNotNull(new.name, of: table), name)
        } else if old.isOptional, !new.isOptional {
            differences.append("\(name) is declared as not optional and is optional in the \(noun)")
        }
        if new.reference != old.reference {
            let stored = old.reference?.declaration ?? "no reference"
            let declared = new.reference?.declaration ?? "no reference"
            differences.append("\(name) is declared with \(declared) and stored with \(stored)")
        }
    }

    private static func difference(_ declared: ColumnMeaning?, _ stored: ColumnMeaning?) -> String {
        let (new, old) = (declared?.description ?? "bytes", stored?.description ?? "bytes")
        if case .encrypted? = declared, case .encrypted(let name)? = stored {
            return "declared as \(new) and stored as \(old): declare it with boundTo: \"\(name)\""
        }
        if declared?.isEncrypted == true || stored?.isEncrypted == true {
            return "declared as \(new) and stored as \(old): no value could be read"
        }
        let words =
            if case .scaled(let new) = declared, case .scaled(let old) = stored {
                "declared with \(new.counted("decimal place")) and stored with \(old)"
            } else {
                "declared as \(new) and stored as \(old)"
            }
        return "\(words): every value would be misread"
    }

    /// Adds a remedy: the migration step for a column that differs.
    private mutating func change(_ new: ColumnShape, _ old: ColumnShape, of table: String) {
        if new.isKey || old.isKey || new.computation != nil { return recreate(table) }
        // A migration cannot read encrypted values.
        guard old.storageClass != nil, old.meaning?.isEncrypted != true else { return }
        remedies.append("try store.changeColumn(\\\(table).\(new.name), from: \(old.typeName).self) { … }")
    }

    /// Adds a remedy: the migration step that recreates a table.
    private mutating func recreate(_ table: String) {
        let step = "try store.recreateTable(\(table).self)"
        if !remedies.contains(step) { remedies.append(step) }
    }

    private mutating func add(_ column: ColumnShape, to table: TableShape, _ renames: ColumnRenames) {
        let name = "\(table.name).\(column.name)"
        if column.isKey {
            differences.append("\(name) is the key, but is missing")
            return recreate(table.name)
        }
        if column.computation != nil {
            differences.append("\(name) is computed, but is missing")
            return recreate(table.name)
        }
        if let obstacle = column.obstacle {
            let addition = "try store.addColumn(\\\(name), value: …)"
            guard let rename = renames.step(to: column, of: table.name) else {
                differences.append(name + obstacle)
                return remedies.append(addition)
            }
            let names = renames.oldNames(of: column)
            differences.append(
                "\(name) is not in the \(noun), and \(names.joined(separator: ", ")) of the same type "
                    + "\(names.count == 1 ? "is" : "are") no longer declared")
            if !remedies.contains(rename) { remedies.append(rename) }
            return alternatives.append("if \(name) is another property: \(addition)")
        }
        let value = column.defaultValue == .null ? nil : column.defaultValue
        add(.addColumn(column, to: table.name, value: value), name)
    }

    private mutating func drop(_ column: ColumnShape, of table: TableShape, _ renames: ColumnRenames) {
        let name = "\(table.name).\(column.name)"
        // The values are not lost, because they can be computed again.
        if column.computation != nil { return add(.dropColumn(column.name, of: table.name), name) }
        if column.isKey {
            differences.append("the stored key \(name) is not declared")
            return recreate(table.name)
        }
        let dropped = DroppedColumn(entity: table.name, name: column.name)
        let names = renames.newNames(of: column)
        let rename = ColumnRenames.step(column.name, to: names.count == 1 ? names[0] : nil, of: table.name)
        steps.append(
            Step(change: .dropColumn(column.name, of: table.name), subject: name, dropped: dropped, rename: rename))
    }

    /// Drops the indexes that this library created but the entity does not declare, and every index of a dropped
    /// column.
    private mutating func dropIndexes(_ table: TableShape, _ stored: TableShape, _ dropped: [String]) {
        for index in stored.indexes where !table.indexes.contains(index) {
            let isManaged = IndexShape.isManaged(index.name)
            guard isManaged || index.columns.contains(where: dropped.contains) else { continue }
            add(.dropIndex(index), index.name)
        }
    }
}

extension ColumnShape {
    /// The type of a property that can read the column's values.
    fileprivate var typeName: String {
        let name =
            switch (storageClass, meaning) {
            case (.integer?, .scaled(let places)?) where places > 0: "Decimal"
            case (.integer?, _): "Int"
            case (.real?, .date?): "Date"
            case (.real?, _): "Double"
            case (.blob?, .vector?): "Vector"
            case (.blob?, _): type == "uuid" ? "UUID" : "Data"
            default: "String"
            }
        return isOptional ? name + "?" : name
    }

    /// The reason why the column cannot be added automatically; `nil` if it can.
    fileprivate var obstacle: String? {
        if !isOptional && defaultLiteral == nil {
            return " is new, not optional, and has no .default(…)"
        }
        if reference == nil || isOptional && defaultLiteral == nil { return nil }
        return " is a new reference, and its default may refer to nothing"
    }
}
