/// A position in a store's history, after one of its commits.
///
/// Save the token with the data that you derived from the history up to this position. Pass it to `changes(since:)`
/// later, in this process or another. The token is valid only for its store, and for copies of that store that contain
/// the token's commit.
public struct HistoryToken: Sendable, Hashable, Codable {
    /// The number of the commit in the store's history, counted from 1; 0 is the position before the first commit.
    public let number: Int
    /// A random number that distinguishes the commit from one with the same `number` in a copy that has diverged.
    package let mark: Int64

    package init(number: Int, mark: Int64) {
        (self.number, self.mark) = (number, mark)
    }

    /// The position before the first commit.
    public static let beginning = HistoryToken(number: 0, mark: 0)
}
