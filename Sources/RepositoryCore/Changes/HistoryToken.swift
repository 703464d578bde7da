/// A position in a store's history, after one of its commits.
///
/// Save it with the data that was derived from the history up to there, and pass it to `changes(since:)`, in this
/// process or another. It is valid only for one store, and for copies of the store that have the commit.
public struct HistoryToken: Sendable, Hashable, Codable {
    /// The number of the commit in the store's history, from 1; 0 is the beginning.
    public let number: Int
    /// A number that distinguishes commits with the same `number` in a store and in a copy that has diverged.
    package let mark: Int64

    package init(number: Int, mark: Int64) {
        (self.number, self.mark) = (number, mark)
    }

    /// The position before the first commit.
    public static let beginning = HistoryToken(number: 0, mark: 0)
}
