import Foundation

extension TableShape {
    /// Creates the table that an entity declares, for an engine; throws if the declaration is invalid.
    package init<Item: Entity>(_ entity: Item.Type, in types: any ColumnTypes) throws(RepositoryError) {
        let schema = Item.schema
        self.init(name: Item.entityName)
        try Identifier.check(name, of: "an entity")
        try schema.checkOpaque()
        try schema.checkKey()
        try schema.checkManaged()
        let key = try schema.key
        if key.isComposite { compositeKey = key.names }
        var names: Set<[UInt8]> = []
        var known: Set<String> = []
        var properties: [AnyKeyPath: String] = [:]
        for column in schema.columns {
            if let twin = properties.updateValue(column.name, forKey: column.path), twin != column.name {
                throw .misuse(detail: "\(name) declares \(twin) and \(column.name) for the same property")
            }
            let shape = try ColumnShape(column, isKey: key.names.contains(column.name), entity: name, in: types)
            // Two names that differ in the store may be equal in Swift. A dictionary would then hold only one of the
            // two columns.
            let isNew = names.insert(Identifier.key(shape.name)).inserted
            guard isNew, known.insert(shape.name).inserted else {
                throw .misuse(detail: "\(name) declares two columns with the name \(shape.name)")
            }
            columns.append(shape)
            let isKey = shape.isKey && !key.isComposite
            if column.isUnique, !isKey { addIndex([column.name], isUnique: true) }
            // Without an index, deleting an item would read every item that may refer to it.
            let isIndexed = column.isIndexed || column.reference != nil
            // The key's own index begins with its first column.
            if isIndexed, !column.isUnique, column.name != key.names[0] { addIndex([column.name], isUnique: false) }
        }
        try declare(schema.clauses, schema, in: types)
        for path in schema.searchPaths {
            let column = try schema.column(for: path)
            guard column.storageClass == .text else {
                throw .misuse(detail: "\(name).\(column.name) is not stored as text, so it cannot be searched")
            }
        }
        if !schema.searchPaths.isEmpty { search = try schema.names(schema.searchPaths) }
        for paths in schema.uniqueSets { addIndex(try schema.names(paths), isUnique: true) }
        for paths in schema.indexedSets { addIndex(try schema.names(paths), isUnique: false) }
        for index in indexes {
            guard indexes.filter({ Identifier.key($0.name) == Identifier.key(index.name) }).count == 1 else {
                throw .misuse(detail: "\(name) declares two indexes with the name \(index.name)")
            }
        }
        try types.check(self)
    }

    /// Returns the tables that entities declare.
    ///
    /// Several entities may share a table, such as a whole item and a narrow model for a list. One of them must declare
    /// all columns of the others in the same way.
    package static func tables(
        of entities: [any Entity.Type], in types: any ColumnTypes
    ) throws(RepositoryError) -> [TableShape] {
        var tables: [TableShape] = []
        var positions: [[UInt8]: Int] = [:]
        for entity in entities {
            let table = try TableShape(entity, in: types)
            guard let index = positions[Identifier.key(table.name)] else {
                positions[Identifier.key(table.name)] = tables.count
                tables.append(table)
                continue
            }
            let known = tables[index]
            let searches = [known.search, table.search].filter { !$0.isEmpty }
            guard searches.count < 2 || known.search == table.search else {
                throw .misuse(detail: "two entities have the name \(table.name), but declare different search columns")
            }
            guard let merged = known.holding(table) ?? table.holding(known) else {
                throw .misuse(
                    detail: "two entities have the name \(table.name), but neither declares all columns of the other "
                        + "in the same way")
            }
            let both = [known, table].map { table in Set(table.columns.filter { $0.managedTime != nil }.map(\.name)) }
            if let time = both[0].symmetricDifference(both[1]).min() {
                throw .misuse(
                    detail: "two entities have the name \(table.name), but one omits the managed time \(time): a "
                        + "change through it would not set the time")
            }
            tables[index] = merged
        }
        return tables
    }

    /// Returns this table with the indexes and clauses of another table; `nil` if this table lacks a column of the
    /// other table, or if their views, indexes or checks conflict.
    private func holding(_ other: TableShape) -> TableShape? {
        let hasAllColumns = other.columns.allSatisfy { column in columns.contains { $0.isStored(like: column) } }
        let areIndexesSame = other.indexes.allSatisfy { index in
            indexes.allSatisfy { Identifier.key($0.name) != Identifier.key(index.name) || $0 == index }
        }
        let areChecksSame = other.checks.allSatisfy { check in
            checks.allSatisfy { $0.name != check.name || $0 == check }
        }
        guard name == other.name, view == other.view, hasAllColumns, areChecksSame, areIndexesSame else { return nil }
        var table = self
        table.indexes += other.indexes.filter { !indexes.contains($0) }
        table.checks += other.checks.filter { !checks.contains($0) }
        table.references += other.references.filter { !references.contains($0) }
        if table.search.isEmpty { table.search = other.search }
        return table
    }

    mutating func addIndex(_ columns: [String], isUnique: Bool) {
        let shape = IndexShape(
            name: IndexShape.name(table: name, columns: columns, isUnique: isUnique), columns: columns,
            isUnique: isUnique)
        if !indexes.contains(shape) { indexes.append(shape) }
    }
}

extension Schema where Root: Entity {
    func names(_ paths: Paths) throws(RepositoryError) -> [String] {
        guard !paths.isEmpty else { throw .misuse(detail: "\(entityName) declares an index of no columns") }
        var names: [String] = []
        for path in paths { names.append(try column(for: path).name) }
        return names
    }
}

extension ColumnShape {
    /// Whether both columns store values in the same way.
    fileprivate func isStored(like other: ColumnShape) -> Bool {
        name == other.name && type == other.type && isOptional == other.isOptional && isKey == other.isKey
            && isGenerated == other.isGenerated
            && meaning == other.meaning && managedTime == other.managedTime && reference == other.reference
            && computation == other.computation
    }

    init<Item: Entity>(
        _ column: AnyColumn<Item>, isKey: Bool, entity: String, in types: any ColumnTypes
    ) throws(RepositoryError) {
        let type = types.name(of: column.storageClass, holdsIDs: column.holdsID)
        self.init(
            name: column.name, type: type, storageClass: column.storageClass, isOptional: column.isOptional,
            isKey: isKey, isGenerated: column.managedValue == .generated, meaning: column.meaning)
        try Identifier.check(name, of: "a column of \(entity)")
        guard column.holdsVectors == (column.dimensions != nil), column.dimensions ?? 1 > 0 else {
            throw .misuse(
                detail: column.holdsVectors
                    ? "\(entity).\(name) holds vectors: declare their number of components, at least 1, as in "
                        + ".dimensions(384)"
                    : "\(entity).\(name) is not stored as the bytes of vectors, so it cannot have .dimensions")
        }
        if !column.holdsVectors, let scale = column.scale, !(0...ScaledDecimal.maximumScale).contains(scale) {
            throw .misuse(detail: "the scale of \(entity).\(name) is \(scale); it can be 0 to 18")
        }
        if (column.valueType as? any OptionalType.Type)?.wrapsOptional == true {
            throw .misuse(detail: "\(entity).\(name) is an optional of an optional: NULL cannot be two kinds of nil")
        }
        if isKey, column.isOptional { throw .misuse(detail: "the key \(entity).\(name) is optional") }
        if column.reference?.rule == .nullify, !column.isOptional {
            throw .misuse(detail: "\(entity).\(name) must be optional, because its delete rule is .nullify")
        }
        if column.reference?.isComposite() == true {
            throw .misuse(
                detail:
                    "\(entity).\(name) refers to \(column.reference?.entityName() ?? ""), whose key is several columns")
        }
        if let value = try column.defaultValue?() {
            try Self.checkDefault(value, of: "\(entity).\(name)")
            defaultLiteral = types.literal(value, of: type)
            defaultValue = value
        }
        if let expression = column.computation {
            try column.checkComputable(expression, entity)
            computation = try types.text(of: expression, as: "\(entity).\(name)")
        }
        managedTime = isGenerated ? nil : column.managedValue
        reference = column.reference.map { ReferenceShape(table: $0.entityName(), rule: $0.rule.declaration) }
    }

    static func checkDefault(_ value: SQLValue, of column: String) throws(RepositoryError) {
        guard case .text(let text) = value, text.utf8.contains(0) else { return }
        throw .misuse(detail: "the default of \(column) contains NUL")
    }
}
