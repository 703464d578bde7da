// The comparison operators on key paths. `==` and `!=` take any storable value, including `nil` for an optional column;
// the four orderings need a value that can be ordered, and have a second form for optional columns because an optional
// is not itself `Comparable`. They stand behind those on terms, so that a closure's errors are about terms.

/// Tests that a column is equal to a value; `nil` is equal to `nil`.
///
/// ```swift
/// Movie.where(\.studio == nil)
/// ```
@_disfavoredOverload
public func == <Root: Entity, Value: ColumnValue>(
    column: KeyPath<Root, Value> & Sendable, value: Value
) -> Condition<Root> {
    Condition(column, .equal, value)
}

/// Tests that a column differs from a value; `nil` differs from every value but `nil`.
@_disfavoredOverload
public func != <Root: Entity, Value: ColumnValue>(
    column: KeyPath<Root, Value> & Sendable, value: Value
) -> Condition<Root> {
    Condition(column, .notEqual, value)
}

/// Tests that a column is less than a value.
///
/// Text is compared by its UTF-8 bytes.
@_disfavoredOverload
public func < <Root: Entity, Value: ColumnValue & Comparable>(
    column: KeyPath<Root, Value> & Sendable, value: Value
) -> Condition<Root> {
    Condition(column, .less, value)
}

/// Tests that an optional column has a value less than another.
@_disfavoredOverload
public func < <Root: Entity, Value: ColumnValue & Comparable>(
    column: KeyPath<Root, Value?> & Sendable, value: Value
) -> Condition<Root> {
    Condition(column, .less, value)
}

/// Tests that a column is less than or equal to a value.
///
/// Text is compared by its UTF-8 bytes.
@_disfavoredOverload
public func <= <Root: Entity, Value: ColumnValue & Comparable>(
    column: KeyPath<Root, Value> & Sendable, value: Value
) -> Condition<Root> {
    Condition(column, .lessOrEqual, value)
}

/// Tests that an optional column has a value less than or equal to another.
@_disfavoredOverload
public func <= <Root: Entity, Value: ColumnValue & Comparable>(
    column: KeyPath<Root, Value?> & Sendable, value: Value
) -> Condition<Root> {
    Condition(column, .lessOrEqual, value)
}

/// Tests that a column is greater than a value.
///
/// Text is compared by its UTF-8 bytes.
@_disfavoredOverload
public func > <Root: Entity, Value: ColumnValue & Comparable>(
    column: KeyPath<Root, Value> & Sendable, value: Value
) -> Condition<Root> {
    Condition(column, .greater, value)
}

/// Tests that an optional column has a value greater than another.
@_disfavoredOverload
public func > <Root: Entity, Value: ColumnValue & Comparable>(
    column: KeyPath<Root, Value?> & Sendable, value: Value
) -> Condition<Root> {
    Condition(column, .greater, value)
}

/// Tests that a column is greater than or equal to a value.
///
/// Text is compared by its UTF-8 bytes.
@_disfavoredOverload
public func >= <Root: Entity, Value: ColumnValue & Comparable>(
    column: KeyPath<Root, Value> & Sendable, value: Value
) -> Condition<Root> {
    Condition(column, .greaterOrEqual, value)
}

/// Tests that an optional column has a value greater than or equal to another.
@_disfavoredOverload
public func >= <Root: Entity, Value: ColumnValue & Comparable>(
    column: KeyPath<Root, Value?> & Sendable, value: Value
) -> Condition<Root> {
    Condition(column, .greaterOrEqual, value)
}

extension Term where Value == Bool, Root: Entity {
    fileprivate init(_ path: ColumnPath<Root>, _ comparison: Comparison, _ value: any ColumnValue) {
        self.init { () throws(RepositoryError) in try TermValue(path, of: nil).test(comparison, value) }
    }
}
