public import Foundation

extension Term where Value == Bool, Root: Entity {
    /// Creates a condition from a Foundation predicate that SQL can express with the same meaning.
    ///
    /// ```swift
    /// let late = Movie.where(.predicate(#Predicate { $0.boxOffice > 1_000_000 && $0.title.contains("Far") }))
    /// ```
    /// The predicate may contain properties, values, comparisons, `&&`, `||`, `!`, arithmetic, `??`, `contains`,
    /// `starts(with:)`, `count` and `isEmpty` of strings, and ranges. As in every condition, strings are equal if their
    /// bytes are equal.
    ///
    /// - Failure: `.misuse` for anything else, with the name of the part that is not supported.
    public static func predicate(_ predicate: Predicate<Root>) -> Term {
        Term { () throws(RepositoryError) in
            let walk = PredicateWalk(variable: predicate.variable.key) { path throws(RepositoryError) in
                try TermValue(try Root.schema.column(for: path).path, of: nil)
            }
            return try walk.condition(predicate.expression).stored()
        }
    }
}

extension RefinableQuery where Root: Entity {
    /// Keeps only the items that meet a Foundation predicate, in addition to earlier conditions.
    public func `where`(_ predicate: Predicate<Root>) -> Self { self.where(.predicate(predicate)) }
}

extension Entity {
    /// Starts a query with a Foundation predicate; see `Condition.predicate(_:)`.
    public static func `where`(_ predicate: Predicate<Self>) -> FetchQuery<Self> { all.where(predicate) }
}

enum PredicatePart {
    case item
    case value(TermValue)
    case condition(ConditionTree)
    case constant(any Sendable)

    static func test(_ test: StoredTest) -> PredicatePart { .condition(ConditionTree(node: .test(test))) }
}

/// Translates the tree of a predicate into conditions and terms.
struct PredicateWalk {
    let variable: PredicateExpressions.VariableID
    let column: (AnyKeyPath) throws(RepositoryError) -> TermValue

    func part(_ node: Any) throws(RepositoryError) -> PredicatePart {
        guard let known = node as? any PredicateNode else {
            throw .misuse(detail: "a predicate with \(Self.name(type(of: node))) cannot be expressed in SQL")
        }
        return try known.part(self)
    }

    func condition(_ node: Any) throws(RepositoryError) -> ConditionTree {
        switch try part(node) {
        case .condition(let condition): return condition
        case .value(let value): return ConditionTree(node: .test(try value.truth()))
        case .constant(let value):
            if let value = value as? Bool { return ConditionTree(node: .test(.constant(value))) }
        case .item: break
        }
        throw .misuse(detail: "a part of a predicate is not a condition: \(Self.name(type(of: node)))")
    }

    func value(_ node: Any) throws(RepositoryError) -> TermValue {
        switch try part(node) {
        case .value(let value): return value
        case .condition(let condition): return try TermValue(of: try condition.stored())
        case .constant(let value):
            if let value = value as? any ColumnValue { return try TermValue(constant: value) }
        case .item: break
        }
        throw .misuse(detail: "a part of a predicate is not a value: \(Self.name(type(of: node)))")
    }

    func compared(_ left: Any, _ comparison: Comparison, _ right: Any) throws(RepositoryError) -> PredicatePart {
        let (first, second) = (try part(left), try part(right))
        if case .constant(let value) = second, let value = value as? any ColumnValue {
            return .test(try self.value(left).test(comparison, value))
        }
        if case .constant(let value) = first, let value = value as? any ColumnValue {
            return .test(try self.value(right).test(comparison.mirrored, value))
        }
        return .test(try self.value(left).test(comparison, self.value(right)))
    }

    static func name(_ type: Any.Type) -> String {
        String(describing: type).split(separator: "<").first.map(String.init) ?? "an unknown part"
    }
}

extension Comparison {
    /// The equivalent comparison with the sides exchanged.
    fileprivate var mirrored: Comparison {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}

/// A part of a predicate's tree that can be expressed in SQL.
protocol PredicateNode {
    func part(_ walk: PredicateWalk) throws(RepositoryError) -> PredicatePart
}

extension PredicateExpressions.Variable: PredicateNode {
    func part(_ walk: PredicateWalk) throws(RepositoryError) -> PredicatePart {
        guard key == walk.variable else { throw .misuse(detail: "a predicate can use only the item as a variable") }
        return .item
    }
}

extension PredicateExpressions.Value: PredicateNode {
    func part(_ walk: PredicateWalk) throws(RepositoryError) -> PredicatePart {
        if let value = value as? any ColumnValue { return .constant(value) }
        if let range = value as? any PredicateRange { return .constant(range) }
        throw .misuse(detail: "a predicate with a value of type \(Output.self) cannot be expressed in SQL")
    }
}

extension PredicateExpressions.NilLiteral: PredicateNode {
    func part(_ walk: PredicateWalk) throws(RepositoryError) -> PredicatePart { .constant(Int?.none) }
}

extension PredicateExpressions.KeyPath: PredicateNode {
    func part(_ walk: PredicateWalk) throws(RepositoryError) -> PredicatePart {
        switch try walk.part(root) {
        case .item: return .value(try walk.column(keyPath))
        case .value(let text) where keyPath == \String.count: return .value(try text.computed(.count))
        case .value(let text) where keyPath == \String.isEmpty: return .test(try text.test(.equal, ""))
        default: throw .misuse(detail: "a predicate with \(keyPath) cannot be expressed in SQL")
        }
    }
}

extension PredicateExpressions.Conjunction: PredicateNode {
    func part(_ walk: PredicateWalk) throws(RepositoryError) -> PredicatePart {
        .condition(try walk.condition(lhs).and(walk.condition(rhs)))
    }
}

extension PredicateExpressions.Disjunction: PredicateNode {
    func part(_ walk: PredicateWalk) throws(RepositoryError) -> PredicatePart {
        .condition(try walk.condition(lhs).or(walk.condition(rhs)))
    }
}

extension PredicateExpressions.Negation: PredicateNode {
    func part(_ walk: PredicateWalk) throws(RepositoryError) -> PredicatePart {
        .condition(try walk.condition(wrapped).negated)
    }
}

extension PredicateExpressions.Equal: PredicateNode {
    func part(_ walk: PredicateWalk) throws(RepositoryError) -> PredicatePart { try walk.compared(lhs, .equal, rhs) }
}

extension PredicateExpressions.NotEqual: PredicateNode {
    func part(_ walk: PredicateWalk) throws(RepositoryError) -> PredicatePart { try walk.compared(lhs, .notEqual, rhs) }
}

extension PredicateExpressions.Comparison: PredicateNode {
    func part(_ walk: PredicateWalk) throws(RepositoryError) -> PredicatePart {
        let comparison: RepositoryCore.Comparison =
            switch op {
            case .lessThan: .less
            case .lessThanOrEqual: .lessOrEqual
            case .greaterThan: .greater
            case .greaterThanOrEqual: .greaterOrEqual
            @unknown default: .equal
            }
        return try walk.compared(lhs, comparison, rhs)
    }
}

extension PredicateExpressions.Arithmetic: PredicateNode {
    func part(_ walk: PredicateWalk) throws(RepositoryError) -> PredicatePart {
        let operation: Arithmetic =
            switch op {
            case .add: .plus
            case .subtract: .minus
            case .multiply: .times
            @unknown default: .plus
            }
        return try walk.computed(lhs, operation, rhs, LHS.Output.self)
    }
}

extension PredicateExpressions.IntDivision: PredicateNode {
    func part(_ walk: PredicateWalk) throws(RepositoryError) -> PredicatePart {
        try walk.computed(lhs, .dividedBy, rhs, LHS.Output.self)
    }
}

extension PredicateExpressions.FloatDivision: PredicateNode {
    func part(_ walk: PredicateWalk) throws(RepositoryError) -> PredicatePart {
        try walk.computed(lhs, .dividedBy, rhs, LHS.Output.self)
    }
}

extension PredicateExpressions.IntRemainder: PredicateNode {
    func part(_ walk: PredicateWalk) throws(RepositoryError) -> PredicatePart {
        try walk.computed(lhs, .remainder, rhs, LHS.Output.self)
    }
}

extension PredicateExpressions.UnaryMinus: PredicateNode {
    func part(_ walk: PredicateWalk) throws(RepositoryError) -> PredicatePart {
        try walk.checkComputes(Wrapped.Output.self)
        return .value(try walk.value(wrapped).negated())
    }
}

extension PredicateExpressions.NilCoalesce: PredicateNode {
    func part(_ walk: PredicateWalk) throws(RepositoryError) -> PredicatePart {
        let (left, right) = try TermValue.aligned(try walk.value(lhs), try walk.value(rhs))
        return .value(try left.coalesced(right))
    }
}

extension PredicateExpressions.CollectionContainsCollection: PredicateNode {
    func part(_ walk: PredicateWalk) throws(RepositoryError) -> PredicatePart { try walk.texts(base, .contains, other) }
}

extension PredicateExpressions.SequenceStartsWith: PredicateNode {
    func part(_ walk: PredicateWalk) throws(RepositoryError) -> PredicatePart { try walk.texts(base, .starts, prefix) }
}

extension PredicateWalk {
    fileprivate func computed(
        _ left: Any, _ operation: Arithmetic, _ right: Any, _ type: Any.Type
    ) throws(RepositoryError) -> PredicatePart {
        try checkComputes(type)
        return .value(try value(left).with(operation, value(right)))
    }

    /// Throws for a type, such as `Float`, whose arithmetic has another precision in SQL than in Swift.
    fileprivate func checkComputes(_ type: Any.Type) throws(RepositoryError) {
        guard type is any ArithmeticValue.Type else {
            throw .misuse(detail: "a predicate with arithmetic on \(type) cannot be expressed in SQL")
        }
    }

    /// Tests whether a text contains another text, or begins with it.
    fileprivate func texts(
        _ text: Any, _ function: TextFunction, _ other: Any
    ) throws(RepositoryError) -> PredicatePart {
        let (text, other) = (try value(text), try value(other))
        guard text.storageClass == .text, other.storageClass == .text else {
            throw .misuse(detail: "a predicate with \(function) on a value that is not text cannot be expressed in SQL")
        }
        let term = try TermValue(
            .operation(.text(function), [text.term, other.term]), of: [text, other], isOptional: false, .integer)
        return .test(.truth(term.term))
    }
}
