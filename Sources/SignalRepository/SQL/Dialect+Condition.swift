extension Dialect {
    /// The last part of a statement, for the rows that meet a condition, or for all.
    package func rows<Root>(where condition: Condition<Root>?) throws(RepositoryError) -> SQLText {
        var sql = SQLText("")
        try append(where: condition, to: &sql)
        return sql
    }

    /// Writes ` WHERE …`, or nothing when there is no condition.
    package func append<Root>(where condition: Condition<Root>?, to sql: inout SQLText) throws(RepositoryError) {
        if let condition { try append(where: [try condition.stored()], to: &sql) }
    }

    /// Writes ` WHERE …` for tests that all have to hold, or nothing when there are none.
    package func append(where tests: [StoredTest], to sql: inout SQLText) throws(RepositoryError) {
        guard let first = tests.first else { return }
        sql.append(" WHERE ")
        try append(tests.count > 1 ? .all(tests) : first, to: &sql)
    }

    /// Writes one test.
    ///
    /// Tests follow Swift's two values, not SQL's three: operators that find NULL equal to NULL where it may be on
    /// either side, and `IS NOT TRUE` for negation. AND and OR of tests that may be NULL are true exactly when they are
    /// in Swift.
    package func append(_ test: StoredTest, to sql: inout SQLText) throws(RepositoryError) {
        switch possible(test) {
        case .constant(let answer):
            sql.append(answer ? "TRUE" : "FALSE")
        case .comparison(let column, let comparison, let value):
            append(column, comparison, value, to: &sql)
        case .range(let column, let lower, let upper):
            sql.append(column: column)
            sql.append(" BETWEEN ")
            sql.bind(lower)
            sql.append(" AND ")
            sql.bind(upper)
        case .membership(let column, let values): try append(column, isIn: values, to: &sql)
        case .rows(let columns, let rows): try append(columns, areAmong: rows, to: &sql)
        case .search(let column, let search, let pattern):
            try append(.search(search), of: [.column(column), .constant(.blob(pattern))], where: nil, to: &sql)
        case .raw(let own):
            // On its own line, so that a comment in it ends there.
            sql.append("(")
            sql.append(own)
            sql.append("\n)")
        case .all(let tests):
            try append(tests[...], " AND ", to: &sql)
        case .any(let tests):
            try append(tests[...], " OR ", to: &sql)
        case .terms(let comparison, let left, let right):
            try append(comparison, left, right, to: &sql)
        case .matches(let table, let pattern): append(rowOf: table, matches: pattern, to: &sql)
        case .found(let table, let pattern): append(rowOf: table, isFoundBy: pattern, to: &sql)
        case .truth(let term):
            try append(truthOf: term, to: &sql)
        case .not(let test):
            sql.append("(")
            try append(test, to: &sql)
            sql.append(") IS NOT TRUE")
        case .decision(let steps, let last):
            sql.append("CASE")
            for (test, answer) in steps {
                sql.append(" WHEN ")
                try append(test, to: &sql)
                sql.append(answer ? " THEN TRUE" : " THEN FALSE")
            }
            sql.append(" ELSE ")
            try append(last, to: &sql)
            sql.append(" END")
        }
    }

    /// Writes many tests as groups of groups: an engine builds a tree that is as deep as a chain is long.
    private func append(
        _ tests: ArraySlice<StoredTest>, _ separator: StaticString, to sql: inout SQLText
    ) throws(RepositoryError) {
        let most = 16
        sql.append("(")
        if tests.count <= most {
            for (number, test) in tests.enumerated() {
                if number > 0 { sql.append(separator) }
                try append(test, to: &sql)
            }
        } else {
            let size = (tests.count + most - 1) / most
            for start in stride(from: tests.startIndex, to: tests.endIndex, by: size) {
                if start > tests.startIndex { sql.append(separator) }
                try append(tests[start..<Swift.min(start + size, tests.endIndex)], separator, to: &sql)
            }
        }
        sql.append(")")
    }

    private func append(
        _ column: StoredColumn, _ comparison: Comparison, _ value: SQLValue, to sql: inout SQLText
    ) {
        if comparison == .equal || comparison == .notEqual, column.isOptional || value == .null {
            return append(column, isSame: comparison == .equal, as: value, to: &sql)
        }
        sql.append(column: column)
        switch comparison {
        case .equal: sql.append(" = ")
        case .notEqual: sql.append(" <> ")
        case .less: sql.append(" < ")
        case .lessOrEqual: sql.append(" <= ")
        case .greater: sql.append(" > ")
        case .greaterOrEqual: sql.append(" >= ")
        }
        sql.bind(value)
    }

    /// Writes that a column has one of the values.
    private func append(_ column: StoredColumn, isIn values: [SQLValue], to sql: inout SQLText) throws(RepositoryError)
    {
        let stored = values.filter { $0 != .null }
        sql.append("(")
        if stored.count < values.count {
            sql.append(column: column)
            sql.append(" IS NULL OR ")
        }
        if stored.isEmpty { sql.append("FALSE") } else { try append(column, isAmong: stored, to: &sql) }
        sql.append(")")
    }

    /// Writes that columns have the values of one of some rows.
    private func append(
        _ columns: [StoredColumn], areAmong rows: [[SQLValue]], to sql: inout SQLText
    ) throws(RepositoryError) {
        guard rows.count * columns.count <= SQLText.mostSingleValues else {
            throw .tooBig(
                detail: "\(rows.count.counted("key")) of \(columns.count.counted("column")), at most "
                    + "\(SQLText.mostSingleValues) values can be listed")
        }
        append(columns, areOneOf: rows, to: &sql)
    }

    /// Writes columns in parentheses.
    package func append(_ columns: [StoredColumn], to sql: inout SQLText) {
        sql.append("(")
        for (index, column) in columns.enumerated() {
            if index > 0 { sql.append(", ") }
            sql.append(column: column)
        }
        sql.append(")")
    }

    /// Writes rows of values, each in parentheses.
    package func append(_ rows: [[SQLValue]], to sql: inout SQLText) {
        for (number, row) in rows.enumerated() {
            sql.append(number > 0 ? ", (" : "(")
            for (index, value) in row.enumerated() {
                if index > 0 { sql.append(", ") }
                sql.bind(value)
            }
            sql.append(")")
        }
    }
}

extension SQLText {
    /// The most values that are bound one by one; more would exceed an engine's own limit on parameters.
    package static let mostSingleValues = 32_000

    /// Writes a column, with its table where there are several.
    package mutating func append(column: StoredColumn) {
        if let table = column.table {
            append(name: table)
            append(".")
        }
        append(name: column.name)
    }
}
