extension Dialect {
    /// Returns the clause ` WHERE …` that selects the rows that meet a condition; empty for all rows.
    package func rows<Root>(where condition: Condition<Root>) throws(RepositoryError) -> SQLText {
        condition.tree.isTrue ? "" : try rows(where: condition.stored())
    }

    /// Returns ` WHERE …` for a test; empty without a test.
    package func rows(where test: StoredTest?) throws(RepositoryError) -> SQLText {
        guard let test else { return "" }
        return try " WHERE \(condition(test))"
    }

    /// Returns SQL that is true for exactly the rows for which a test is true in Swift.
    ///
    /// Equality treats NULL as equal to NULL where both sides may be NULL. Negation is `IS NOT TRUE`. AND and OR are
    /// used unchanged, because they are true for the same rows whether a part is NULL or false.
    package func condition(_ test: StoredTest) throws(RepositoryError) -> SQLText {
        switch possible(test) {
        case .constant(let answer): answer ? "TRUE" : "FALSE"
        case .comparison(let column, let comparison, let value): condition(column, comparison, value)
        case .range(let column, let lower, let upper): "\(column) BETWEEN \(bind: lower) AND \(bind: upper)"
        case .membership(let column, let values): try condition(column, isIn: values)
        case .rows(let columns, let rows): try condition(columns, areAmong: rows)
        case .search(let column, let search, let pattern):
            try result(.search(search), of: [.column(column), .constant(.blob(pattern))], where: nil)
        // The closing parenthesis is on its own line, so that a comment at the end of raw SQL cannot include it.
        case .raw(let own): "(\(own)\n)"
        case .all(let tests): try group(tests[...], " AND ")
        case .any(let tests): try group(tests[...], " OR ")
        case .terms(let comparison, let left, let right): try condition(comparison, left, right)
        case .matches(let table, let pattern): condition(rowOf: table, matches: pattern)
        case .found(let table, let pattern): condition(rowOf: table, isFoundBy: pattern)
        case .truth(let term): try condition(truthOf: term)
        case .not(let test): try "(\(condition(test))) IS NOT TRUE"
        case .decision(let steps, let last): try decision(steps, otherwise: last)
        }
    }

    private func decision(
        _ steps: [(test: StoredTest, answer: Bool)], otherwise last: StoredTest
    ) throws(RepositoryError) -> SQLText {
        var sql: SQLText = "CASE"
        for (test, answer) in steps { sql += try " WHEN \(condition(test)) THEN \(answer ? "TRUE" : "FALSE")" }
        return try "\(sql) ELSE \(condition(last)) END"
    }

    /// Joins tests with a separator.
    ///
    /// Many tests are nested in groups, because an engine parses a flat chain into a tree with one level for each test.
    private func group(_ tests: ArraySlice<StoredTest>, _ separator: StaticString) throws(RepositoryError) -> SQLText {
        let most = 16
        guard tests.count > most else { return try "(\(tests.map(condition), separator: separator))" }
        let size = (tests.count + most - 1) / most
        var groups: [SQLText] = []
        for start in stride(from: tests.startIndex, to: tests.endIndex, by: size) {
            groups.append(try group(tests[start..<Swift.min(start + size, tests.endIndex)], separator))
        }
        return "(\(groups, separator: separator))"
    }

    private func condition(_ column: StoredColumn, _ comparison: Comparison, _ value: SQLValue) -> SQLText {
        if comparison == .equal || comparison == .notEqual, column.isOptional || value == .null {
            return condition(column, isSame: comparison == .equal, as: value)
        }
        return "\(column)\(literal: comparison.sign)\(bind: value)"
    }

    private func condition(_ column: StoredColumn, isIn values: [SQLValue]) throws(RepositoryError) -> SQLText {
        let stored = values.filter { $0 != .null }
        let isNull: SQLText = stored.count < values.count ? "\(column) IS NULL OR " : ""
        return try "(\(isNull)\(stored.isEmpty ? "FALSE" : condition(column, isAmong: stored)))"
    }

    private func condition(
        _ columns: [StoredColumn], areAmong rows: [[SQLValue]]
    ) throws(RepositoryError) -> SQLText {
        guard rows.count * columns.count <= SQLText.maxSingleValues else {
            throw .tooBig(
                detail: "\(rows.count.counted("key")) of \(columns.count.counted("column")) exceed the limit of "
                    + "\(SQLText.maxSingleValues) values")
        }
        return condition(columns, areOneOf: rows)
    }

    func condition(
        _ comparison: TermComparison, _ left: StoredTerm, _ right: StoredTerm
    ) throws(RepositoryError) -> SQLText {
        let sign =
            switch comparison {
            case .plain(let comparison): comparison.sign
            case .same: same
            case .notSame: notSame
            case .notEqualOrNull: Comparison.equal.sign
            }
        let test: SQLText = try "(\(term(left))\(literal: sign)\(term(right)))"
        return comparison == .notEqualOrNull ? "\(test) IS NOT TRUE" : test
    }
}

extension Comparison {
    fileprivate var sign: StaticString {
        switch self {
        case .equal: " = "
        case .notEqual: " <> "
        case .less: " < "
        case .lessOrEqual: " <= "
        case .greater: " > "
        case .greaterOrEqual: " >= "
        }
    }
}

extension SQLText {
    /// Appends a column, qualified with its table if it has one.
    package mutating func appendInterpolation(_ column: StoredColumn) {
        if let table = column.table {
            appendInterpolation(name: table)
            appendLiteral(".")
        }
        appendInterpolation(name: column.name)
    }

    package mutating func appendInterpolation(_ columns: [StoredColumn]) {
        for (index, column) in columns.enumerated() {
            if index > 0 { appendLiteral(", ") }
            appendInterpolation(column)
        }
    }
}
