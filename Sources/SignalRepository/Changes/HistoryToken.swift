/// Where somebody who follows a store's history is: after one of its commits.
///
/// Keep it with what was made of the history until there, and give it back to `changes(since:)`, in this process or
/// another. It is of use for one store only, and for copies of it that have the commit.
public struct HistoryToken: Sendable, Hashable, Codable {
    /// The number of the commit in the store's history, from 1; 0 is the beginning.
    public let number: Int
    /// What tells two commits apart that have one number, in a store and in a copy of it that has gone on by itself.
    package let mark: Int64

    package init(number: Int, mark: Int64) {
        (self.number, self.mark) = (number, mark)
    }

    /// Before the first commit.
    public static let beginning = HistoryToken(number: 0, mark: 0)
}
