// Merging of long lists of tests. SQLite compares each constant of a statement with all other constants, which is slow
// for thousands of values. If tests compare one column with many values, they are merged into one test of a list, which
// is a single constant.

extension StoredTest {
    /// The maximum number of values that are compared with one column in separate tests.
    private static let maxSeparateValues = 16

    static func all(of tests: [StoredTest]) -> StoredTest {
        let flat = tests.flatMap { test in if case .all(let tests) = test { tests } else { [test] } }
        return .all(merged(flat, \.refused) { .not(.membership($0, $1)) })
    }

    static func any(of tests: [StoredTest]) -> StoredTest {
        let flat = tests.flatMap { test in if case .any(let tests) = test { tests } else { [test] } }
        return .any(merged(flat, \.required) { .membership($0, $1) })
    }

    /// Merges the tests of each column that is compared with many values into one test.
    private static func merged(
        _ tests: [StoredTest], _ known: (StoredTest) -> (column: StoredColumn, values: [SQLValue])?,
        _ make: (StoredColumn, [SQLValue]) -> StoredTest
    ) -> [StoredTest] {
        guard tests.count > 1 else { return tests }
        var values: [[String]: (column: StoredColumn, values: [SQLValue])] = [:]
        for test in tests {
            guard let (column, some) = known(test) else { continue }
            values[column.key, default: (column, [])].values += some
        }
        let many = values.filter { $0.value.values.count > maxSeparateValues }
        if many.isEmpty { return tests }
        let others = tests.filter { test in known(test).map { many[$0.column.key] == nil } ?? true }
        return many.keys.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { many[$0].map { make($0, $1) } }
            + others
    }

    /// The column and the values, if the test passes exactly for certain values of one column; otherwise `nil`.
    private var required: (column: StoredColumn, values: [SQLValue])? {
        switch self {
        case .comparison(let column, .equal, let value): (column, [value])
        case .membership(let column, let values): (column, values)
        default: nil
        }
    }

    /// The column and the values, if the test fails exactly for certain values of one column; otherwise `nil`.
    private var refused: (column: StoredColumn, values: [SQLValue])? {
        switch self {
        case .comparison(let column, .notEqual, let value): (column, [value])
        case .not(let test): test.required
        default: nil
        }
    }
}

extension StoredColumn {
    fileprivate var key: [String] { [table ?? "", name] }
}
