// Long chains of tests. SQLite compares each constant of a statement with all the others, so that what comes in
// thousands has to be one of them: many values of one column are a list.

extension StoredTest {
    /// How many tests of one column stay tests of their own.
    private static let mostAlike = 16

    static func all(of tests: [StoredTest]) -> StoredTest {
        let flat = tests.flatMap { test in if case .all(let tests) = test { tests } else { [test] } }
        return .all(merged(flat, \.refused) { .not(.membership($0, $1)) })
    }

    static func any(of tests: [StoredTest]) -> StoredTest {
        let flat = tests.flatMap { test in if case .any(let tests) = test { tests } else { [test] } }
        return .any(merged(flat, \.required) { .membership($0, $1) })
    }

    /// The tests, of which those about one column are one, where there are many.
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
        let many = values.filter { $0.value.values.count > mostAlike }
        if many.isEmpty { return tests }
        let others = tests.filter { test in known(test).map { many[$0.column.key] == nil } ?? true }
        return many.keys.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { many[$0].map { make($0, $1) } }
            + others
    }

    /// The values of which a column has to have one.
    private var required: (column: StoredColumn, values: [SQLValue])? {
        switch self {
        case .comparison(let column, .equal, let value): (column, [value])
        case .membership(let column, let values): (column, values)
        default: nil
        }
    }

    /// The values of which a column may have none.
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
