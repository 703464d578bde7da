/// A new value for one property of every item that a batch update changes, written with a key path.
///
/// ```swift
/// let renamed = repository.update(
///     Movie.self, set: [.set(\.studio, to: "Miramax"), .set(\.boxOffice, to: 0)], where: \.studio == "Gramercy")
/// ```
/// - Failure: A key path that the entity's schema does not declare, and a value that its column cannot hold, are found
///   when the assignment is used: the endpoint fails with a typed error.
public struct Assignment<Root: Entity>: Sendable {
    let column: ColumnPath<Root>
    let value: any Sendable

    /// Assigns a value to a property; `nil` clears an optional one.
    public static func set<Value: Sendable>(
        _ column: KeyPath<Root, Value> & Sendable, to value: Value
    ) -> Assignment {
        Assignment(column: column, value: value)
    }
}
