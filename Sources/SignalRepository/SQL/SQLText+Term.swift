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
        case .operation(let operation, let arguments): try append(operation, of: arguments)
        case .checked(let number): try append(IntegerCheck.function, of: [number])
        case .real(let number):
            append("CAST(")
            try append(term: number)
            append(" AS REAL)")
        case .filtered(let operation, let arguments, let test):
            try append(operation, of: arguments)
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
        case .rowNumber(let table): append(column: StoredColumn(Self.rowNumber, of: table))
        case .rank(let index): append(column: StoredColumn("rank", of: index))
        }
    }

    /// The number of a row, which is the row's place in its table.
    static let rowNumber = "_rowid_"

    /// Writes what is computed of terms.
    ///
    /// Where SQLite's own functions know bytes and ASCII, Swift's know characters: those are ours, and every connection
    /// has them.
    private mutating func append(_ operation: Operation, of arguments: [StoredTerm]) throws(RepositoryError) {
        switch operation {
        case .arithmetic(.plus): try append(arguments, separator: " + ")
        case .arithmetic(.minus): try append(arguments, separator: " - ")
        case .arithmetic(.times): try append(arguments, separator: " * ")
        case .arithmetic(.dividedBy): try append(arguments, separator: " / ")
        case .arithmetic(.remainder): try append(arguments, separator: " % ")
        case .joined: try append(arguments, separator: " || ")
        case .negated: try append("-", of: arguments)
        case .magnitude: try append("abs", of: arguments)
        case .coalesced: try append("coalesce", of: arguments)
        case .bounded: try append(IntegerCheck.function, of: arguments)
        case .saturated: try append(IntegerCheck.compared, of: arguments)
        case .text(let function): try append(function.function, of: arguments)
        case .search(let search): try append(search.function, of: arguments)
        case .datePart: try append(DatePart.function, of: arguments)
        case .count: try append("count", of: arguments)
        case .sum: try append("sum", of: arguments)
        case .total: try append("total", of: arguments)
        case .average: try append("avg", of: arguments)
        case .minimum: try append("min", of: arguments)
        case .maximum: try append("max", of: arguments)
        }
    }

    private mutating func append(_ function: StaticString, of arguments: [StoredTerm]) throws(RepositoryError) {
        append(function)
        try append(arguments, separator: ", ")
    }

    /// Writes terms in parentheses.
    private mutating func append(_ terms: [StoredTerm], separator: StaticString) throws(RepositoryError) {
        append("(")
        for (index, term) in terms.enumerated() {
            if index > 0 { append(separator) }
            try append(term: term)
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
