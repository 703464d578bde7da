// The comparison operators on key paths. `==` and `!=` take any storable value, including `nil` for an optional column;
// the four orderings need a value that can be ordered, and have a second form for optional columns because an optional
// is not itself `Comparable`.

/// Tests that a column is equal to a value; `nil` is equal to `nil`.
///
/// ```swift
/// Movie.where(\.studio == nil)
/// ```
public func == <Root: Entity, Value: ColumnValue>(
    column: KeyPath<Root, Value> & Sendable, value: Value
) -> Condition<Root> {
    Condition(node: .comparison(column, .equal, value))
}

/// Tests that a column differs from a value; `nil` differs from every value but `nil`.
public func != <Root: Entity, Value: ColumnValue>(
    column: KeyPath<Root, Value> & Sendable, value: Value
) -> Condition<Root> {
    Condition(node: .comparison(column, .notEqual, value))
}

/// Tests that a column is less than a value.
///
/// Text is compared by its UTF-8 bytes.
public func < <Root: Entity, Value: ColumnValue & Comparable>(
    column: KeyPath<Root, Value> & Sendable, value: Value
) -> Condition<Root> {
    Condition(node: .comparison(column, .less, value))
}

/// Tests that an optional column has a value less than another.
public func < <Root: Entity, Value: ColumnValue & Comparable>(
    column: KeyPath<Root, Value?> & Sendable, value: Value
) -> Condition<Root> {
    Condition(node: .comparison(column, .less, value))
}

/// Tests that a column is less than or equal to a value.
///
/// Text is compared by its UTF-8 bytes.
public func <= <Root: Entity, Value: ColumnValue & Comparable>(
    column: KeyPath<Root, Value> & Sendable, value: Value
) -> Condition<Root> {
    Condition(node: .comparison(column, .lessOrEqual, value))
}

/// Tests that an optional column has a value less than or equal to another.
public func <= <Root: Entity, Value: ColumnValue & Comparable>(
    column: KeyPath<Root, Value?> & Sendable, value: Value
) -> Condition<Root> {
    Condition(node: .comparison(column, .lessOrEqual, value))
}

/// Tests that a column is greater than a value.
///
/// Text is compared by its UTF-8 bytes.
public func > <Root: Entity, Value: ColumnValue & Comparable>(
    column: KeyPath<Root, Value> & Sendable, value: Value
) -> Condition<Root> {
    Condition(node: .comparison(column, .greater, value))
}

/// Tests that an optional column has a value greater than another.
public func > <Root: Entity, Value: ColumnValue & Comparable>(
    column: KeyPath<Root, Value?> & Sendable, value: Value
) -> Condition<Root> {
    Condition(node: .comparison(column, .greater, value))
}

/// Tests that a column is greater than or equal to a value.
///
/// Text is compared by its UTF-8 bytes.
public func >= <Root: Entity, Value: ColumnValue & Comparable>(
    column: KeyPath<Root, Value> & Sendable, value: Value
) -> Condition<Root> {
    Condition(node: .comparison(column, .greaterOrEqual, value))
}

/// Tests that an optional column has a value greater than or equal to another.
public func >= <Root: Entity, Value: ColumnValue & Comparable>(
    column: KeyPath<Root, Value?> & Sendable, value: Value
) -> Condition<Root> {
    Condition(node: .comparison(column, .greaterOrEqual, value))
}
