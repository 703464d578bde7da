// Comparison operators for a term and a value, and for two terms whose types are the same apart from optionality.

/// Tests that a term is equal to a value; `nil` is equal to `nil`.
public func == <Root, Value: ColumnValue>(left: Term<Root, Value>, right: Value) -> Condition<Root> {
    left.test(.equal, right)
}

/// Tests that a term is equal to another term.
public func == <Root, Value: ColumnValue, Other: TermConvertible>(
    left: Term<Root, Value>, right: Other
) -> Condition<Root>
where Other.Root == Root, Other.Value: ColumnValue, Other.Value.Plain == Value.Plain {
    left.test(.equal, right.term)
}

/// Tests that a term differs from a value; `nil` differs from every value but `nil`.
public func != <Root, Value: ColumnValue>(left: Term<Root, Value>, right: Value) -> Condition<Root> {
    left.test(.notEqual, right)
}

/// Tests that a term differs from another term.
public func != <Root, Value: ColumnValue, Other: TermConvertible>(
    left: Term<Root, Value>, right: Other
) -> Condition<Root>
where Other.Root == Root, Other.Value: ColumnValue, Other.Value.Plain == Value.Plain {
    left.test(.notEqual, right.term)
}

/// Tests that a term is less than a value.
@_disfavoredOverload
public func < <Root, Value: OrderedValue>(left: Term<Root, Value>, right: Value) -> Condition<Root> {
    left.test(.less, right)
}

/// Tests that a term is less than another term.
public func < <Root, Value: OrderedValue, Other: TermConvertible>(
    left: Term<Root, Value>, right: Other
) -> Condition<Root>
where Other.Root == Root, Other.Value: OrderedValue, Other.Value.Plain == Value.Plain {
    left.test(.less, right.term)
}

/// Tests that a term is less than or equal to a value.
@_disfavoredOverload
public func <= <Root, Value: OrderedValue>(left: Term<Root, Value>, right: Value) -> Condition<Root> {
    left.test(.lessOrEqual, right)
}

/// Tests that a term is less than or equal to another term.
public func <= <Root, Value: OrderedValue, Other: TermConvertible>(
    left: Term<Root, Value>, right: Other
) -> Condition<Root>
where Other.Root == Root, Other.Value: OrderedValue, Other.Value.Plain == Value.Plain {
    left.test(.lessOrEqual, right.term)
}

/// Tests that a term is greater than a value.
@_disfavoredOverload
public func > <Root, Value: OrderedValue>(left: Term<Root, Value>, right: Value) -> Condition<Root> {
    left.test(.greater, right)
}

/// Tests that a term is greater than another term.
public func > <Root, Value: OrderedValue, Other: TermConvertible>(
    left: Term<Root, Value>, right: Other
) -> Condition<Root>
where Other.Root == Root, Other.Value: OrderedValue, Other.Value.Plain == Value.Plain {
    left.test(.greater, right.term)
}

/// Tests that a term is greater than or equal to a value.
@_disfavoredOverload
public func >= <Root, Value: OrderedValue>(left: Term<Root, Value>, right: Value) -> Condition<Root> {
    left.test(.greaterOrEqual, right)
}

/// Tests that a term is greater than or equal to another term.
public func >= <Root, Value: OrderedValue, Other: TermConvertible>(
    left: Term<Root, Value>, right: Other
) -> Condition<Root>
where Other.Root == Root, Other.Value: OrderedValue, Other.Value.Plain == Value.Plain {
    left.test(.greaterOrEqual, right.term)
}

/// Tests that a property of any optional type, such as one that is stored as JSON, is `nil`.
@_disfavoredOverload
public func == <Root, Value>(left: Term<Root, Value?>, right: _OptionalNilComparisonType) -> Condition<Root> {
    left.isMissing(.equal)
}

/// Tests that a property of any optional type, such as one that is stored as JSON, has a value.
@_disfavoredOverload
public func != <Root, Value>(left: Term<Root, Value?>, right: _OptionalNilComparisonType) -> Condition<Root> {
    left.isMissing(.notEqual)
}

extension Term {
    fileprivate func isMissing(_ comparison: Comparison) -> Condition<Root> {
        Condition { () throws(RepositoryError) in
            let value = try self.value()
            guard case .column(let column) = value.term, value.column?.parts.isEmpty != false else {
                try value.checkStoredAsOwnType()
                return .terms(TermComparison(comparison, value, .missing), value.term, TermValue.missing.term)
            }
            return .comparison(column, comparison, .null)
        }
    }

    fileprivate func test(_ comparison: Comparison, _ value: any ColumnValue) -> Condition<Root> {
        Condition { () throws(RepositoryError) in try self.value().test(comparison, value) }
    }

    func test<Other>(_ comparison: Comparison, _ other: Term<Root, Other>) -> Condition<Root> {
        Condition { () throws(RepositoryError) in try self.value().test(comparison, other.value()) }
    }
}

extension TermValue {
    fileprivate static let missing = TermValue(.constant(.null), isOptional: true, .null)
}
