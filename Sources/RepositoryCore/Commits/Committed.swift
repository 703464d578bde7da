/// A value of a live signal, with the number of the commit it belongs to.
///
/// Two live signals of one repository that report the same number show the same state of the store. A repository's
/// numbers start at 0 when it is opened and increase with every commit, including commits by other processes.
public struct Committed<Value: Sendable>: Sendable {
    /// The number of the latest commit reflected in the value.
    public let commit: Int
    /// The value.
    public let value: Value

    /// Combines a value and its commit.
    public init(commit: Int, value: Value) {
        self.commit = commit
        self.value = value
    }
}

extension Committed: Equatable where Value: Equatable {}
