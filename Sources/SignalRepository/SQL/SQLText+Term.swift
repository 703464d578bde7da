extension SQLText {
    /// Writes a column, with its table where there are several.
    mutating func append(column: StoredColumn) {
        if let table = column.table {
            append(name: table)
            append(".")
        }
        append(name: column.name)
    }

    /// Writes a term, so that it can stand beside an operator.
    mutating func append(term: StoredTerm) throws(RepositoryError) {
        switch term {
        case .column(let column): append(column: column)
        case .constant(let value): bind(value)
        case .infix(let sign, let left, let right):
            append("(")
            try append(term: left)
            append(sign)
            try append(term: right)
            append(")")
        case .checked(let number): try append(IntegerCheck.function, of: [number])
        case .real(let number):
            append("CAST(")
            try append(term: number)
            append(" AS REAL)")
        case .call(let name, let arguments): try append(name, of: arguments)
        case .filtered(let name, let arguments, let test):
            try append(name, of: arguments)
            append(" FILTER (WHERE ")
            try append(test: test)
            append(")")
        case .distinct(let term):
            append("DISTINCT ")
            try append(term: term)
        case .test(let test):
            append("((")
            try append(test: test)
            append(") IS TRUE)")
        case .children(let children):
            append(children.areCounted ? "(SELECT count(*) FROM " : "EXISTS (SELECT 1 FROM ")
            append(name: children.table)
            append(" AS ")
            append(name: children.alias)
            append(" WHERE ")
            try append(test: children.test)
            append(")")
        }
    }

    private mutating func append(_ function: StaticString, of arguments: [StoredTerm]) throws(RepositoryError) {
        append(function)
        append("(")
        for (place, argument) in arguments.enumerated() {
            if place > 0 { append(", ") }
            try append(term: argument)
        }
        append(")")
    }

    /// Writes a comparison of two terms.
    mutating func append(
        _ comparison: TermComparison, _ left: StoredTerm, _ right: StoredTerm
    ) throws(RepositoryError) {
        append("(")
        try append(term: left)
        switch comparison {
        case .plain(.equal), .notEqualOrNull: append(" = ")
        case .plain(.notEqual): append(" <> ")
        case .plain(.less): append(" < ")
        case .plain(.lessOrEqual): append(" <= ")
        case .plain(.greater): append(" > ")
        case .plain(.greaterOrEqual): append(" >= ")
        case .same: append(" IS ")
        case .notSame: append(" IS NOT ")
        }
        try append(term: right)
        append(comparison == .notEqualOrNull ? ") IS NOT TRUE" : ")")
    }
}
