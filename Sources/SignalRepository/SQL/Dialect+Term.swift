extension Dialect {
    /// Writes a term, so that it can stand beside an operator.
    package func append(_ term: StoredTerm, to sql: inout SQLText) throws(RepositoryError) {
        switch term {
        case .column(let column): sql.append(column: column)
        case .constant(let value): sql.bind(value)
        case .operation(let operation, let arguments): try append(operation, of: arguments, where: nil, to: &sql)
        case .checked(let number): try append(.bounded, of: [number], where: nil, to: &sql)
        case .unlessNaN(let number): try append(unlessNaN: number, to: &sql)
        case .real(let number):
            sql.append("CAST(")
            try append(number, to: &sql)
            sql.append(" AS ")
            sql.append(real)
            sql.append(")")
        case .filtered(let operation, let arguments, let test):
            try append(operation, of: arguments, where: test, to: &sql)
        case .distinct(let term):
            sql.append("DISTINCT ")
            try append(term, to: &sql)
        case .test(let test): try append(valueOf: test, to: &sql)
        case .children(let children):
            sql.append(children.areCounted ? "(SELECT count(*) FROM " : "EXISTS (SELECT 1 FROM ")
            sql.append(table: children.table)
            sql.append(" AS ")
            sql.append(name: children.alias)
            sql.append(" WHERE ")
            try append(children.test, to: &sql)
            sql.append(")")
        case .rowNumber(let table): append(rowNumberOf: table, to: &sql)
        case .rank(let index): sql.append(column: StoredColumn("rank", of: index))
        }
    }

    /// Writes a call of a function.
    package func append(
        _ function: StaticString, of arguments: [StoredTerm], to sql: inout SQLText
    ) throws(RepositoryError) {
        sql.append(function)
        try append(arguments, separator: ", ", to: &sql)
    }

    /// Writes which rows a function of many rows takes.
    package func append(filter test: StoredTest?, to sql: inout SQLText) throws(RepositoryError) {
        guard let test else { return }
        sql.append(" FILTER (WHERE ")
        try append(test, to: &sql)
        sql.append(")")
    }

    /// Writes terms in parentheses.
    package func append(
        _ terms: [StoredTerm], separator: StaticString, to sql: inout SQLText
    ) throws(RepositoryError) {
        sql.append("(")
        for (index, term) in terms.enumerated() {
            if index > 0 { sql.append(separator) }
            try append(term, to: &sql)
        }
        sql.append(")")
    }

    /// Writes a comparison of two terms.
    package func append(
        _ comparison: TermComparison, _ left: StoredTerm, _ right: StoredTerm, to sql: inout SQLText
    ) throws(RepositoryError) {
        sql.append("(")
        try append(left, to: &sql)
        switch comparison {
        case .plain(.equal), .notEqualOrNull: sql.append(" = ")
        case .plain(.notEqual): sql.append(" <> ")
        case .plain(.less): sql.append(" < ")
        case .plain(.lessOrEqual): sql.append(" <= ")
        case .plain(.greater): sql.append(" > ")
        case .plain(.greaterOrEqual): sql.append(" >= ")
        case .same: sql.append(same)
        case .notSame: sql.append(notSame)
        }
        try append(right, to: &sql)
        sql.append(comparison == .notEqualOrNull ? ") IS NOT TRUE" : ")")
    }
}
