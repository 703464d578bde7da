extension Dialect {
    /// Returns the SQL of a term, which can be used as an operand.
    package func term(_ stored: StoredTerm) throws(RepositoryError) -> SQLText {
        switch stored {
        case .column(let column): "\(column)"
        case .constant(let value): "\(bind: value)"
        case .now: .late(.time)
        case .key(let index): .late(.key(index))
        case .operation(let operation, let arguments): try result(operation, of: arguments, where: nil)
        case .checked(let number): try result(.bounded, of: [number], where: nil)
        case .unlessNaN(let number): try unlessNaN(number)
        case .real(let number): try "CAST(\(operand(number)) AS \(literal: real))"
        case .filtered(let operation, let arguments, let test): try result(operation, of: arguments, where: test)
        case .distinct(let value): try "DISTINCT \(term(value))"
        case .test(let test): try value(of: test)
        case .children(let children):
            try children.areCounted
                ? "(SELECT count(*) FROM \(rows(of: children)))" : "EXISTS (SELECT 1 FROM \(rows(of: children)))"
        case .rowNumber(let table): rowNumber(of: table)
        case .rank(let index): "\(StoredColumn("rank", of: index))"
        }
    }

    private func rows(of children: StoredChildren) throws(RepositoryError) -> SQLText {
        try "\(table: children.table) AS \(name: children.alias) WHERE \(condition(children.test))"
    }

    package func call(_ function: StaticString, _ arguments: [StoredTerm]) throws(RepositoryError) -> SQLText {
        try "\(literal: function)(\(arguments.map(operand)))"
    }

    package func chain(_ terms: [StoredTerm], _ sign: StaticString) throws(RepositoryError) -> SQLText {
        try "(\(terms.map(operand), separator: sign))"
    }

    /// Returns ` FILTER …`, which restricts an aggregate to the rows that pass a test; empty without a test.
    package func filter(_ test: StoredTest?) throws(RepositoryError) -> SQLText {
        guard let test else { return "" }
        return try " FILTER (WHERE \(condition(test)))"
    }
}

extension Arithmetic {
    package var sign: StaticString {
        switch self {
        case .plus: " + "
        case .minus: " - "
        case .times: " * "
        case .dividedBy: " / "
        case .remainder: " % "
        }
    }
}
