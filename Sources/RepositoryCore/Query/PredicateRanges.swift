import Foundation

extension PredicateExpressions.RangeExpressionContains: PredicateNode {
    func part(_ walk: PredicateWalk) throws(RepositoryError) -> PredicatePart {
        let value = try walk.value(element)
        if let bounds = range as? any PredicateBounds {
            let (lower, upper, comparison) = bounds.bounds
            let tests = [
                try value.test(.greaterOrEqual, walk.value(lower)), try value.test(comparison, walk.value(upper)),
            ]
            return .test(.all(tests))
        }
        guard case .constant(let constant) = try walk.part(range), let range = constant as? any PredicateRange else {
            throw .misuse(detail: "a predicate with another kind of range cannot be expressed in SQL")
        }
        return .test(try range.test(value))
    }
}

/// A range whose bounds are parts of the predicate.
private protocol PredicateBounds {
    var bounds: (lower: Any, upper: Any, comparison: Comparison) { get }
}

extension PredicateExpressions.ClosedRange: PredicateBounds {
    fileprivate var bounds: (lower: Any, upper: Any, comparison: Comparison) { (lower, upper, .lessOrEqual) }
}

extension PredicateExpressions.Range: PredicateBounds {
    fileprivate var bounds: (lower: Any, upper: Any, comparison: Comparison) { (lower, upper, .less) }
}

/// A range that is a constant of the predicate.
protocol PredicateRange: Sendable {
    func test(_ value: TermValue) throws(RepositoryError) -> StoredTest
}

extension ClosedRange: PredicateRange where Bound: ColumnValue {
    func test(_ value: TermValue) throws(RepositoryError) -> StoredTest {
        try value.test(from: lowerBound, to: upperBound)
    }
}

extension Range: PredicateRange where Bound: ColumnValue {
    func test(_ value: TermValue) throws(RepositoryError) -> StoredTest {
        .all([try value.test(.greaterOrEqual, lowerBound), try value.test(.less, upperBound)])
    }
}
