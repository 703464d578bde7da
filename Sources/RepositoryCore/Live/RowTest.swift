import Foundation

/// A condition that is evaluated for rows in memory, with the result that the store computes for the same rows.
///
/// It is made from the same `StoredTest` as the SQL, so the two cannot diverge. It is valid only for tables in which
/// each column holds one storage class and texts are compared by their bytes; see `TableLayout.Column.isExact`.
indirect enum RowTest: Sendable {
    case constant(Bool)
    case comparison(column: Int, Comparison, SQLValue)
    case range(column: Int, SQLValue, SQLValue)
    case membership(column: Int, Set<SQLValue>)
    case rows(columns: [Int], Set<[SQLValue]>)
    case search(column: Int, TextSearch, [UInt8], byCharacters: Bool)
    case terms(TermComparison, RowTerm, RowTerm)
    case truth(RowTerm)
    /// With `evaluatesAll`, every part is evaluated, even after one has decided the result.
    case all([RowTest], evaluatesAll: Bool)
    case any([RowTest], evaluatesAll: Bool)
    case not(RowTest)
    case decision([(test: RowTest, answer: Bool)], otherwise: RowTest)

    func passes(_ row: [SQLValue]) throws(RowFault) -> Bool {
        switch self {
        case .constant(let answer): answer
        case .comparison(let column, let comparison, let value): comparison.holds(row[column], value)
        case .range(let column, let lower, let upper):
            Comparison.greaterOrEqual.holds(row[column], lower) && Comparison.lessOrEqual.holds(row[column], upper)
        case .membership(let column, let values): values.contains(row[column])
        case .rows(let columns, let values): values.contains(columns.map { row[$0] })
        case .search(let column, let search, let pattern, let byCharacters):
            try search.finds(pattern, in: row[column], byCharacters)
        case .terms(let comparison, let left, let right): try comparison.holds(left.value(row), right.value(row))
        case .truth(let term): try Self.isTrue(term.value(row))
        case .all(let tests, let evaluatesAll): try !Self.isAny(of: tests, false, row, evaluatesAll)
        case .any(let tests, let evaluatesAll): try Self.isAny(of: tests, true, row, evaluatesAll)
        case .not(let test): try !test.passes(row)
        case .decision(let steps, let otherwise): try Self.decide(steps, otherwise, row)
        }
    }

    private static func isAny(
        of tests: [RowTest], _ answer: Bool, _ row: [SQLValue], _ evaluatesAll: Bool
    ) throws(RowFault) -> Bool {
        var isFound = false
        for test in tests where try test.passes(row) == answer {
            isFound = true
            if !evaluatesAll { break }
        }
        return isFound
    }

    private static func decide(
        _ steps: [(test: RowTest, answer: Bool)], _ otherwise: RowTest, _ row: [SQLValue]
    ) throws(RowFault) -> Bool {
        for step in steps where try step.test.passes(row) { return step.answer }
        return try otherwise.passes(row)
    }

    private static func isTrue(_ value: SQLValue) throws(RowFault) -> Bool {
        switch value {
        case .null: false
        case .integer(let number): number != 0
        case .real, .text, .blob: throw RowFault()
        }
    }

    /// Whether the store may fail to evaluate the test.
    ///
    /// The store may evaluate the parts of a condition in any order, so if one may fail, `all` and `any` evaluate all.
    fileprivate var isComputed: Bool {
        switch self {
        case .terms, .truth: true
        case .all(_, let evaluatesAll), .any(_, let evaluatesAll): evaluatesAll
        case .not(let test): test.isComputed
        case .decision(let steps, let last): last.isComputed || steps.contains { $0.test.isComputed }
        case .constant, .comparison, .range, .membership, .rows, .search: false
        }
    }
}

extension TextSearch {
    /// Returns whether the search finds a pattern in a text; it finds nothing in NULL.
    func finds(_ pattern: [UInt8], in value: SQLValue, _ byCharacters: Bool) throws(RowFault) -> Bool {
        if value == .null { return false }
        // A text that is not valid Unicode arrives as a blob; the store's result for it cannot be predicted.
        guard case .text(var text) = value else { throw RowFault() }
        return text.withUTF8 { bytes in
            // Safe because both buffers are used only inside the closures.
            pattern.withUnsafeBufferPointer { finds($0, in: bytes, byCharacters: byCharacters) }
        }
    }
}

extension StoredTest {
    /// Returns the test for rows with the given columns, or `nil` if only the store can evaluate it.
    func rowTest(_ rowColumns: RowColumns) -> RowTest? {
        switch self {
        case .constant(let answer): return .constant(answer)
        case .comparison(let column, let comparison, let value):
            return rowColumns.index(column).map { .comparison(column: $0, comparison, value) }
        case .range(let column, let lower, let upper):
            return rowColumns.index(column).map { .range(column: $0, lower, upper) }
        case .membership(let column, let values):
            return rowColumns.index(column).map { .membership(column: $0, Set(values)) }
        case .rows(let columns, let values):
            return columns.mapAll { rowColumns.index($0) }.map { .rows(columns: $0, Set(values)) }
        case .search(let column, let search, let pattern):
            return rowColumns.index(column).map {
                .search(column: $0, search, pattern, byCharacters: rowColumns.byCharacters)
            }
        case .terms(let comparison, let left, let right):
            guard let left = left.rowTerm(rowColumns), let right = right.rowTerm(rowColumns) else { return nil }
            return .terms(comparison, left, right)
        case .truth(let term): return term.rowTerm(rowColumns).map { .truth($0) }
        case .raw, .matches, .found: return nil
        case .all(let tests):
            return tests.mapAll({ $0.rowTest(rowColumns) }).map { .all($0, evaluatesAll: Self.areComputed($0)) }
        case .any(let tests):
            return tests.mapAll({ $0.rowTest(rowColumns) }).map { .any($0, evaluatesAll: Self.areComputed($0)) }
        case .not(let test): return test.rowTest(rowColumns).map { .not($0) }
        case .decision(let steps, let otherwise):
            guard let tests = steps.mapAll({ $0.test.rowTest(rowColumns) }), let last = otherwise.rowTest(rowColumns)
            else {
                return nil
            }
            return .decision(Array(zip(tests, steps.map(\.answer))), otherwise: last)
        }
    }

    private static func areComputed(_ tests: [RowTest]) -> Bool { tests.contains(where: \.isComputed) }
}

extension Comparison {
    /// Returns whether the comparison holds; NULL equals NULL, and is neither less nor greater than any value.
    fileprivate func holds(_ left: SQLValue, _ right: SQLValue) -> Bool {
        let isAnyNull = left == .null || right == .null
        return switch self {
        case .equal: left == right
        case .notEqual: left != right
        case .less: !isAnyNull && left.order(right) < 0
        case .lessOrEqual: !isAnyNull && left.order(right) <= 0
        case .greater: !isAnyNull && left.order(right) > 0
        case .greaterOrEqual: !isAnyNull && left.order(right) >= 0
        }
    }
}
