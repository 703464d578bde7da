import Foundation

/// A condition that is put to rows in memory, and answers as the store does for the same rows of a table.
///
/// It is made of the form that the SQL is made of, so the two cannot drift apart. It holds for tables whose columns
/// hold one class each and compare texts by their bytes; `TableLayout.isExact` says so.
indirect enum RowTest: Sendable {
    case constant(Bool)
    case comparison(column: Int, Comparison, SQLValue)
    case range(column: Int, SQLValue, SQLValue)
    case membership(column: Int, Set<SQLValue>)
    case rows(columns: [Int], Set<[SQLValue]>)
    case search(column: Int, TextSearch, [UInt8], byCharacters: Bool)
    case all([RowTest])
    case any([RowTest])
    case not(RowTest)
    case decision([(test: RowTest, answer: Bool)], otherwise: RowTest)

    /// Whether a row passes.
    func passes(_ row: [SQLValue]) -> Bool {
        switch self {
        case .constant(let answer): answer
        case .comparison(let column, let comparison, let value): comparison.holds(row[column], value)
        case .range(let column, let lower, let upper):
            Comparison.greaterOrEqual.holds(row[column], lower) && Comparison.lessOrEqual.holds(row[column], upper)
        case .membership(let column, let values): values.contains(row[column])
        case .rows(let columns, let values): values.contains(columns.map { row[$0] })
        case .search(let column, let search, let pattern, let byCharacters):
            Self.finds(search, pattern, in: row[column], byCharacters)
        case .all(let tests): tests.allSatisfy { $0.passes(row) }
        case .any(let tests): tests.contains { $0.passes(row) }
        case .not(let test): !test.passes(row)
        case .decision(let steps, let otherwise):
            steps.first { $0.test.passes(row) }?.answer ?? otherwise.passes(row)
        }
    }

    private static func finds(
        _ search: TextSearch, _ pattern: [UInt8], in value: SQLValue, _ byCharacters: Bool
    ) -> Bool {
        guard case .text(var text) = value else { return false }
        return text.withUTF8 { bytes in
            // Safe because both are used inside the closures alone.
            pattern.withUnsafeBufferPointer { search.finds($0, in: bytes, byCharacters: byCharacters) }
        }
    }
}

extension StoredTest {
    /// The test for rows of a table; `nil` when it needs the store.
    func rowTest(_ table: TableLayout) -> RowTest? {
        rowTest(byCharacters: table.findsCharacters) { table.index(of: $0) }
    }

    /// The test for rows whose columns stand where `index` says, of a store that looks for texts by whole characters or
    /// by code points.
    func rowTest(byCharacters: Bool = true, _ index: (String) -> Int?) -> RowTest? {
        switch self {
        case .constant(let answer): return .constant(answer)
        case .comparison(let column, let comparison, let value):
            return index(column.name).map { .comparison(column: $0, comparison, value) }
        case .range(let column, let lower, let upper):
            return index(column.name).map { .range(column: $0, lower, upper) }
        case .membership(let column, let values): return index(column.name).map { .membership(column: $0, Set(values)) }
        case .rows(let columns, let values):
            let indexes = columns.compactMap { index($0.name) }
            return indexes.count == columns.count ? .rows(columns: indexes, Set(values)) : nil
        case .search(let column, let search, let pattern):
            return index(column.name).map { .search(column: $0, search, pattern, byCharacters: byCharacters) }
        case .raw, .terms, .truth, .matches, .found: return nil
        case .all(let tests): return Self.rowTests(tests, byCharacters, index).map { .all($0) }
        case .any(let tests): return Self.rowTests(tests, byCharacters, index).map { .any($0) }
        case .not(let test): return test.rowTest(byCharacters: byCharacters, index).map { .not($0) }
        case .decision(let steps, let otherwise):
            guard let tests = Self.rowTests(steps.map(\.test), byCharacters, index),
                let last = otherwise.rowTest(byCharacters: byCharacters, index)
            else {
                return nil
            }
            return .decision(Array(zip(tests, steps.map(\.answer))), otherwise: last)
        }
    }

    private static func rowTests(
        _ tests: [StoredTest], _ byCharacters: Bool, _ index: (String) -> Int?
    ) -> [RowTest]? {
        let found = tests.compactMap { $0.rowTest(byCharacters: byCharacters, index) }
        return found.count == tests.count ? found : nil
    }
}

extension Comparison {
    /// Whether the comparison holds: nothing is less or greater than NULL, and NULL equals itself.
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
