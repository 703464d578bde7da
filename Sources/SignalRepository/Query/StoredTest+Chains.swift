// Long chains of tests. SQLite compares each constant of a statement with all the others, so that what comes in thousands
// has to be one of them: many values of one column are a list.

extension StoredTest {
    /// How many tests of one column stay tests of their own.
    private static let mostAlike = 16

    /// Tests that all have to hold.
    static func all(of tests: [StoredTest]) -> StoredTest {
        let flat = tests.flatMap { test in if case .all(let tests) = test { tests } else { [test] } }
        return .all(merged(flat, \.refused) { .not(.membership($0, $1)) })
    }

    /// Tests of which one has to hold.
    static func any(of tests: [StoredTest]) -> StoredTest {
        let flat = tests.flatMap { test in if case .any(let tests) = test { tests } else { [test] } }
        return .any(merged(flat, \.required) { .membership($0, $1) })
    }

    /// The tests, of which those about one column are one, where there are many.
    private static func merged(
        _ tests: [StoredTest], _ known: (StoredTest) -> (column: StoredColumn, value: SQLValue)?,
        _ make: (StoredColumn, [SQLValue]) -> StoredTest
    ) -> [StoredTest] {
        guard tests.count > mostAlike else { return tests }
        var values: [[String]: (column: StoredColumn, values: [SQLValue])] = [:]
        for test in tests {
            guard let (column, value) = known(test) else { continue }
            values[column.key, default: (column, [])].values.append(value)
        }
        let many = values.filter { $0.value.values.count > mostAlike }
        if many.isEmpty { return tests }
        let others = tests.filter { test in known(test).map { many[$0.column.key] == nil } ?? true }
        return many.keys.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { many[$0].map { make($0, $1) } }
            + others
    }

    /// The value that a column has to have.
    private var required: (column: StoredColumn, value: SQLValue)? {
        guard case .comparison(let column, .equal, let value) = self else { return nil }
        return (column, value)
    }

    /// The value that a column may not have.
    private var refused: (column: StoredColumn, value: SQLValue)? {
        switch self {
        case .comparison(let column, .notEqual, let value): (column, value)
        case .not(let test): test.required
        default: nil
        }
    }
}

extension StoredColumn {
    fileprivate var key: [String] { [table ?? "", name] }
}
