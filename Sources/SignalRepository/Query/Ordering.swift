/// One key to sort by, and the direction.
///
/// Numbers and dates sort by value, text by its UTF-8 bytes, `nil` before every value. Entities that are equal by all
/// keys are sorted by their id, so the order is always the same.
///
/// ```swift
/// Movie.all.sorted(by: [Ordering(\.studio), Ordering(\.boxOffice, .descending)])
/// ```
public struct Ordering<Root: Entity>: Sendable {
    /// The direction of a sort.
    public enum Direction: Sendable, Hashable {
        /// Smallest first, `nil` first of all.
        case ascending
        /// Greatest first, `nil` last of all.
        case descending
    }

    let column: ColumnPath<Root>
    let direction: Direction

    /// Creates a sort key from a column's key path.
    public init<Value: ColumnValue>(_ column: KeyPath<Root, Value> & Sendable, _ direction: Direction = .ascending) {
        self.column = column
        self.direction = direction
    }
}
