/// A part of a condition or a term, so that the same code can traverse both.
enum StoredPart {
    case test(StoredTest)
    case term(StoredTerm)

    /// The direct subparts that are tests or terms.
    var parts: [StoredPart] {
        switch self {
        case .test(let test): test.parts
        case .term(let term): term.parts
        }
    }

    var isTime: Bool { if case .term(.now) = self { true } else { false } }

    func contains(where isFound: (StoredPart) -> Bool) -> Bool {
        isFound(self) || parts.contains { $0.contains(where: isFound) }
    }

    var levels: Int {
        let levels = parts.map(\.levels).max()
        switch self {
        // A check adds no level; only the operation that it checks counts.
        case .term(.checked), .term(.unlessNaN): return levels ?? 0
        case .term(.operation), .term(.filtered): return 1 + (levels ?? 0)
        case .test(.all), .test(.any): return 1 + (levels ?? 0)
        default: return levels.map { 1 + $0 } ?? 0
        }
    }
}

extension StoredTest {
    fileprivate var parts: [StoredPart] {
        switch self {
        case .constant, .comparison, .range, .membership, .rows, .search, .raw, .matches, .found: []
        case .terms(_, let left, let right): [.term(left), .term(right)]
        case .truth(let term): [.term(term)]
        case .all(let tests), .any(let tests): tests.map { .test($0) }
        case .not(let test): [.test(test)]
        case .decision(let steps, let last): steps.map { .test($0.test) } + [.test(last)]
        }
    }

    package var levels: Int { StoredPart.test(self).levels }

    /// Whether the result for a row may depend on other rows.
    var dependsOnOtherRows: Bool {
        StoredPart.test(self).contains { part in
            switch part {
            case .test(.raw), .test(.matches), .test(.found), .term(.children), .term(.filtered): true
            default: false
            }
        }
    }

    /// Returns a copy of the test in which each part is replaced by the result of `replace` for it, or kept if the
    /// result is `nil`.
    ///
    /// `replace` also receives, as a term, each column that a test compares with values.
    func replacing(_ replace: (StoredPart) throws -> StoredPart?) rethrows -> StoredTest {
        if case .test(let other)? = try replace(.test(self)) { return other }
        func replaced(_ column: StoredColumn) throws -> StoredColumn {
            if case .term(.column(let other))? = try replace(.term(.column(column))) { other } else { column }
        }
        return switch self {
        case .constant, .raw, .matches, .found: self
        case .comparison(let column, let comparison, let value): .comparison(try replaced(column), comparison, value)
        case .range(let column, let lower, let upper): .range(try replaced(column), lower, upper)
        case .membership(let column, let values): .membership(try replaced(column), values)
        case .rows(let columns, let rows): .rows(try columns.map(replaced), rows)
        case .search(let column, let search, let bytes): .search(try replaced(column), search, bytes)
        case .terms(let comparison, let left, let right):
            .terms(comparison, try left.replacing(replace), try right.replacing(replace))
        case .truth(let term): .truth(try term.replacing(replace))
        case .all(let tests): .all(try tests.map { try $0.replacing(replace) })
        case .any(let tests): .any(try tests.map { try $0.replacing(replace) })
        case .not(let test): .not(try test.replacing(replace))
        case .decision(let steps, let last):
            .decision(
                try steps.map { (try $0.test.replacing(replace), $0.answer) }, otherwise: try last.replacing(replace))
        }
    }
}

extension StoredTerm {
    fileprivate var parts: [StoredPart] {
        switch self {
        case .column, .constant, .now, .key, .rowNumber, .rank: []
        case .operation(_, let arguments): arguments.map { .term($0) }
        case .filtered(_, let arguments, let test): arguments.map { .term($0) } + [.test(test)]
        case .checked(let term), .unlessNaN(let term), .distinct(let term), .real(let term): [.term(term)]
        case .test(let test): [.test(test)]
        case .children(let children): [.test(children.test)]
        }
    }
    /// Returns a copy of the term in which each part is replaced by the result of `replace` for it, or kept if the
    /// result is `nil`.
    func replacing(_ replace: (StoredPart) throws -> StoredPart?) rethrows -> StoredTerm {
        if case .term(let other)? = try replace(.term(self)) { return other }
        return switch self {
        case .column, .constant, .now, .key, .rowNumber, .rank: self
        case .operation(let operation, let terms): .operation(operation, try terms.map { try $0.replacing(replace) })
        case .filtered(let operation, let terms, let test):
            .filtered(operation, try terms.map { try $0.replacing(replace) }, try test.replacing(replace))
        case .checked(let term): .checked(try term.replacing(replace))
        case .unlessNaN(let term): .unlessNaN(try term.replacing(replace))
        case .real(let term): .real(try term.replacing(replace))
        case .distinct(let term): .distinct(try term.replacing(replace))
        case .test(let test): .test(try test.replacing(replace))
        case .children(let children):
            .children(
                StoredChildren(
                    table: children.table, alias: children.alias, keeper: children.keeper,
                    test: try children.test.replacing(replace), areCounted: children.areCounted))
        }
    }
}
