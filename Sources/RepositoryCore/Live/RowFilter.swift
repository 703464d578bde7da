/// A test of one column, by which `LiveIndex` finds the queries that a changed row may affect.
///
/// Each row that the query's condition accepts passes the test. A row that the condition rejects may also pass.
enum RowFilter: Sendable {
    case any
    /// Rows whose column has one of the values.
    case equal(column: String, [SQLValue])
    case range(column: String, ValueRange)
}

/// A range of values, including its bounds; without a bound, the range is unlimited on that side.
///
/// No range contains NULL.
struct ValueRange: Sendable {
    var lower: SQLValue?
    var upper: SQLValue?

    func contains(_ value: SQLValue) -> Bool {
        if value == .null { return false }
        return (lower.map { $0.order(value) <= 0 } ?? true) && (upper.map { $0.order(value) >= 0 } ?? true)
    }
}

extension StoredTest {
    /// The most selective filter that one column allows: a set of values, otherwise a range, otherwise `.any`.
    var rowFilter: RowFilter {
        if dependsOnOtherRows { return .any }
        let parts = if case .all(let tests) = self { tests } else { [self] }
        var best = RowFilter.any
        for part in parts {
            switch (part.singleFilter, best) {
            case (.equal(let column, let values), .equal(_, let fewest)):
                if values.count < fewest.count { best = .equal(column: column, values) }
            case (.equal(let column, let values), _): best = .equal(column: column, values)
            case (.range(let column, let range), .any): best = .range(column: column, range)
            case (.range(let column, let range), .range(let known, let other)) where column == known:
                best = .range(
                    column: column, ValueRange(lower: range.lower ?? other.lower, upper: range.upper ?? other.upper))
            case (.range, _), (.any, _): break
            }
        }
        return best
    }

    private var singleFilter: RowFilter {
        switch self {
        case .comparison(let column, .equal, let value): .equal(column: column.name, [value])
        case .membership(let column, let values): .equal(column: column.name, values)
        case .range(let column, let lower, let upper):
            .range(column: column.name, ValueRange(lower: lower, upper: upper))
        case .comparison(let column, .less, let value), .comparison(let column, .lessOrEqual, let value):
            .range(column: column.name, ValueRange(upper: value))
        case .comparison(let column, .greater, let value), .comparison(let column, .greaterOrEqual, let value):
            .range(column: column.name, ValueRange(lower: value))
        case .comparison, .constant, .rows, .search, .raw, .terms, .truth, .matches, .found, .all, .any, .not,
            .decision:
            .any
        }
    }
}
