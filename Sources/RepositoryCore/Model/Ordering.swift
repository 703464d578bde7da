/// A sort key and its direction.
///
/// Numbers and dates sort by value, text by its UTF-8 bytes, and `nil` before every value. Items that are equal in all
/// sort keys are sorted by their id, so no two items have the same position.
///
/// ```swift
/// Movie.all.sorted([Ordering(\.studio), Ordering(\.boxOffice, .descending)])
/// ```
public struct Ordering<Root>: Sendable {
    /// The direction of a sort.
    public enum Direction: Sendable, Hashable {
        /// Smallest first, `nil` before everything.
        case ascending
        /// Greatest first, `nil` after everything.
        case descending
    }

    let column: ColumnPath<Root>
    let direction: Direction

    /// Creates a sort key from a column's key path.
    public init<Value: ColumnValue>(_ column: KeyPath<Root, Value> & Sendable, _ direction: Direction = .ascending)
    where Root: Entity {
        self.column = column
        self.direction = direction
    }

    var reversed: Ordering { Ordering(column, direction == .ascending ? .descending : .ascending) }

    init(_ column: ColumnPath<Root>, _ direction: Direction) {
        self.column = column
        self.direction = direction
    }
}
