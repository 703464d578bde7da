extension SQLText {
    /// The last part of a statement, for the rows that meet a condition, or for all.
    init<Root>(where condition: Condition<Root>?) throws(RepositoryError) {
        self.init("")
        try append(where: condition)
    }

    /// Writes ` WHERE …`, or nothing when there is no condition.
    mutating func append<Root>(where condition: Condition<Root>?) throws(RepositoryError) {
        if let condition { try append(where: [try condition.stored()]) }
    }

    /// Writes ` WHERE …` for tests that all have to hold, or nothing when there are none.
    mutating func append(where tests: [StoredTest]) throws(RepositoryError) {
        guard let first = tests.first else { return }
        append(" WHERE ")
        try append(test: tests.count > 1 ? .all(tests) : first)
    }

    /// Writes one test.
    ///
    /// Tests follow Swift's two values, not SQL's three: `IS` and `IS NOT` where NULL may be on either side, and
    /// `IS NOT TRUE` for negation. AND and OR of tests that may be NULL are true exactly when they are in Swift.
    mutating func append(test: StoredTest) throws(RepositoryError) {
        switch test {
        case .constant(let answer):
            append(answer ? "TRUE" : "FALSE")
        case .comparison(let column, let comparison, let value):
            append(column, comparison, value)
        case .range(let column, let lower, let upper):
            append(column: column)
            append(" BETWEEN ")
            bind(lower)
            append(" AND ")
            bind(upper)
        case .membership(let column, let values): try append(column, isIn: values)
        case .rows(let columns, let rows): try append(columns, areAmong: rows)
        case .search(let column, let search, let pattern):
            append(search.function)
            append("(")
            append(column: column)
            append(", ")
            bind(.blob(pattern))
            append(")")
        case .raw(let literal, let values):
            // On its own line, so that a comment in it ends there.
            append("(")
            append(literal)
            append("\n)")
            for value in values { append(value: value) }
        case .all(let tests):
            try append(tests[...], " AND ")
        case .any(let tests):
            try append(tests[...], " OR ")
        case .terms(let comparison, let left, let right):
            try append(comparison, left, right)
        case .matches(let table, let index, let pattern):
            try append(term: .rowNumber(table: table))
            append(" IN (SELECT rowid FROM ")
            append(name: index)
            append(" WHERE ")
            append(name: index)
            append(" MATCH ")
            bind(.text(pattern))
            append(")")
        case .found(let table, let index, let pattern):
            append("((")
            append(column: StoredColumn("rowid", of: index))
            append(" = ")
            try append(term: .rowNumber(table: table))
            append(") AND (")
            append(column: StoredColumn(index, of: index))
            append(" MATCH ")
            bind(.text(pattern))
            append("))")
        case .truth(let term):
            try append(term: term)
        case .not(let test):
            append("(")
            try append(test: test)
            append(") IS NOT TRUE")
        case .decision(let steps, let last):
            append("CASE")
            for (test, answer) in steps {
                append(" WHEN ")
                try append(test: test)
                append(answer ? " THEN TRUE" : " THEN FALSE")
            }
            append(" ELSE ")
            try append(test: last)
            append(" END")
        }
    }

    /// Writes many tests as groups of groups, because SQLite builds a tree that is as deep as a chain is long.
    private mutating func append(_ tests: ArraySlice<StoredTest>, _ separator: StaticString) throws(RepositoryError) {
        let most = 16
        append("(")
        if tests.count <= most {
            for (number, test) in tests.enumerated() {
                if number > 0 { append(separator) }
                try append(test: test)
            }
        } else {
            let size = (tests.count + most - 1) / most
            for start in stride(from: tests.startIndex, to: tests.endIndex, by: size) {
                if start > tests.startIndex { append(separator) }
                try append(tests[start..<Swift.min(start + size, tests.endIndex)], separator)
            }
        }
        append(")")
    }

    private mutating func append(_ column: StoredColumn, _ comparison: Comparison, _ value: SQLValue) {
        let mayBeNull = column.isOptional || value == .null
        append(column: column)
        switch comparison {
        case .equal: append(mayBeNull ? " IS " : " = ")
        case .notEqual: append(mayBeNull ? " IS NOT " : " <> ")
        case .less: append(" < ")
        case .lessOrEqual: append(" <= ")
        case .greater: append(" > ")
        case .greaterOrEqual: append(" >= ")
        }
        bind(value)
    }
}
