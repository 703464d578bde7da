import Foundation

// The clauses of a table.
extension TableShape {
    package func breach(of check: CheckShape, by rows: Int64) -> RepositoryError {
        .schemaMismatch(detail: "\(rows) of \(name) would break \(check.name): change them in a migration first")
    }

    mutating func declare<Item: Entity>(
        _ clauses: [TableClause<Item>], _ schema: Schema<Item>, in types: any ColumnTypes
    ) throws(RepositoryError) {
        for clause in clauses {
            switch clause.kind {
            case .check: try declare(check: clause, in: types)
            case .index(let paths, let isUnique): try declare(index: clause, paths, isUnique, schema, in: types)
            case .references(let paths, let target): try declare(reference: target, paths, schema)
            case .view:
                guard let expression = clause.expression else { continue }
                view = Self.query(try types.text(of: expression, as: name))
            }
        }
        guard view != nil else { return }
        let isPlain = schema.columns.allSatisfy { column in
            !column.isUnique && !column.isIndexed && column.reference == nil && column.managedValue == nil
                && column.defaultValue == nil && column.computation == nil
        }
        guard isPlain, indexes.isEmpty, checks.isEmpty, references.isEmpty, schema.searchPaths.isEmpty,
            schema.uniqueSets.isEmpty, schema.indexedSets.isEmpty
        else {
            throw .misuse(
                detail: "\(name) is a view: it cannot declare anything but the columns of its query")
        }
    }

    /// Returns a query without the surrounding spaces and the final semicolon, which no engine keeps.
    private static func query(_ text: String) -> String {
        var scalars = text.unicodeScalars[...]
        while let last = scalars.last, last == ";" || last.properties.isWhitespace { scalars.removeLast() }
        while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
        return String(scalars)
    }

    private mutating func declare<Item: Entity>(
        check clause: TableClause<Item>, in types: any ColumnTypes
    ) throws(RepositoryError) {
        guard let expression = clause.expression else { return }
        try Identifier.check(clause.name, of: "a check of \(name)")
        let check = CheckShape(
            name: CheckShape.name(table: name, clause.name),
            expression: try types.text(of: expression, as: "the check \(clause.name) of \(name)", isCheck: true))
        guard !checks.contains(where: { Identifier.key($0.name) == Identifier.key(check.name) }) else {
            throw .misuse(detail: "\(name) declares two checks with the name \(clause.name)")
        }
        checks.append(check)
    }

    private mutating func declare<Item: Entity>(
        index clause: TableClause<Item>, _ paths: Schema<Item>.Paths, _ isUnique: Bool, _ schema: Schema<Item>,
        in types: any ColumnTypes
    ) throws(RepositoryError) {
        guard let expression = clause.expression else { return }
        try Identifier.check(clause.name, of: "an index of \(name)")
        let text = try types.text(of: expression, as: "the index \(clause.name) of \(name)")
        let columns = paths.isEmpty ? [] : try schema.names(paths)
        indexes.append(
            IndexShape(
                name: IndexShape.name(table: name, columns: [clause.name], isUnique: isUnique), columns: columns,
                isUnique: isUnique,
                definition: columns.isEmpty ? "(\(text))" : "(\(Identifier.list(columns))) WHERE \(text)"))
    }

    private mutating func declare<Item: Entity>(
        reference target: ColumnReference, _ paths: Schema<Item>.Paths, _ schema: Schema<Item>
    ) throws(RepositoryError) {
        let columns = try paths.map { path throws(RepositoryError) in try schema.column(for: path) }
        let (names, table) = (columns.map(\.name), target.entityName())
        let list = names.joined(separator: ", ")
        guard names.count > 1, Set(names).count == names.count else {
            throw .misuse(
                detail: "the reference of \(name) to \(table) names \(list): name several columns, each once, or "
                    + "declare a single column with .references")
        }
        guard columns.map(\.storageClass) == target.keyClasses() else {
            throw .misuse(detail: "\(list) of \(name) cannot refer to \(table): its key has columns of other types")
        }
        if target.rule == .nullify, let column = columns.first(where: { !$0.isOptional }) {
            throw .misuse(detail: "\(name).\(column.name) must be optional, because its delete rule is .nullify")
        }
        let shape = CompositeReferenceShape(
            columns: names, ReferenceShape(table: table, rule: target.rule.declaration))
        guard !references.contains(where: { $0.columns == names }) else {
            throw .misuse(detail: "\(name) declares two references of \(list)")
        }
        references.append(shape)
        // Without an index, deleting an item would read every item that may refer to it.
        let isIndexed = key.starts(with: names) || indexes.contains { $0.definition == nil && $0.columns == names }
        if !isIndexed { addIndex(names, isUnique: false) }
    }
}

extension ColumnTypes {
    /// Returns the SQL of an expression in a declaration.
    func text(
        of expression: any DeclaredExpression, as name: String, isCheck: Bool = false
    ) throws(RepositoryError) -> String {
        guard let declared = expression as? DeclaredSQL else { return "" }
        let sql: SQLText
        do {
            sql = try dialect.declared(declared, isCheck: isCheck)
        } catch .misuse(let detail) {
            throw .misuse(detail: "\(name): \(detail)")
        }
        let holdsNUL = sql.bindings.contains { if case .text(let text) = $0 { text.utf8.contains(0) } else { false } }
        guard sql.lateValues.isEmpty else {
            throw .misuse(detail: "\(name): a declaration cannot use the current time, which changes")
        }
        if holdsNUL || sql.text.utf8.contains(0) { throw .misuse(detail: "\(name) contains NUL") }
        return sql.inlined { value in constant(value) }
    }
}

extension AnyColumn {
    /// Throws if the property's type cannot hold every value of its storage class, because a computed value could then
    /// be unreadable.
    func checkComputable(_ expression: any DeclaredExpression, _ entity: String) throws(RepositoryError) {
        let type = (valueType as? any OptionalType.Type)?.wrapped ?? valueType
        let types: [any Any.Type] = [
            Int.self, Int64.self, Decimal.self, Double.self, Date.self, String.self, Data.self, Bool.self,
        ]
        guard types.contains(where: { $0 == type }) else {
            throw .misuse(
                detail:
                    "\(entity).\(name) is computed, but \(type) cannot hold every result of an expression: make it an "
                    + "Int, a Double, a String or Data")
        }
        guard type == Bool.self, case .text? = try (expression as? DeclaredSQL)?.content() else { return }
        throw .misuse(
            detail: "\(entity).\(name) is a Bool computed by raw SQL: declare it with computed: and a condition")
    }
}
