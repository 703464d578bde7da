/// A value in a condition on a column: the stored value or, if the column cannot hold the value, its position.
///
/// For example, a number that the column would have to round lies between two numbers that the column can hold.
public enum StoredBound: Sendable, Hashable {
    /// The column can hold the value, in the given stored form.
    case exact(SQLValue)
    /// The value lies between two adjacent values that the column can hold; a side without such a value is `nil`.
    case between(below: SQLValue?, above: SQLValue?)
    /// The value, such as NaN, is neither equal to, nor less than, nor greater than any stored value.
    case unordered

    /// The least value that the column can hold and that is at least the compared value, or `nil`.
    var orAbove: SQLValue? {
        switch self {
        case .exact(let value): value
        case .between(_, let above): above
        case .unordered: nil
        }
    }

    /// The greatest value that the column can hold and that is at most the compared value, or `nil`.
    var orBelow: SQLValue? {
        switch self {
        case .exact(let value): value
        case .between(let below, _): below
        case .unordered: nil
        }
    }
}
