/// A value's place among those that a column can hold: what a condition on the column has to know about it.
///
/// A number that would have to be rounded cannot be stored, but other numbers are still less or greater than it.
public enum StoredBound: Sendable, Hashable {
    /// The column can hold the value, as this.
    case exact(SQLValue)
    /// The value lies between two that the column can hold, with none between them; `nil` if there is none on that
    /// side.
    case between(below: SQLValue?, above: SQLValue?)
    /// The value is equal to nothing that is stored, and neither less nor greater than it: NaN.
    case unordered

    /// The least value of the column that is not less.
    var orAbove: SQLValue? {
        switch self {
        case .exact(let value): value
        case .between(_, let above): above
        case .unordered: nil
        }
    }

    /// The greatest value of the column that is not greater.
    var orBelow: SQLValue? {
        switch self {
        case .exact(let value): value
        case .between(let below, _): below
        case .unordered: nil
        }
    }
}
