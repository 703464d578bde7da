/// A value of a live signal, with the number of the commit that it belongs to.
///
/// Two live signals of one repository that report the same number show the same state of the store. The numbers of a
/// repository start at 0 when it is opened and rise with every commit, those of other processes included.
public struct Committed<Value: Sendable>: Sendable {
    /// The number of the latest commit that the value shows.
    public let commit: Int
    /// The value.
    public let value: Value

    /// Puts a value and its commit together.
    public init(commit: Int, value: Value) {
        self.commit = commit
        self.value = value
    }
}

extension Committed: Equatable where Value: Equatable {}
