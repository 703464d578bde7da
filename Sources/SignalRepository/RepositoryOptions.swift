/// How a repository works with its store; the defaults suit almost everybody.
public struct RepositoryOptions: Sendable {
    /// How many connections read beside the writer, at most.
    ///
    /// In memory there are none.
    public var readers = 4
    /// How often a repository with live signals looks whether another process has committed.
    public var watchInterval: Duration = .milliseconds(250)
    /// The length of the write-ahead log, in pages, from which it is moved into the file after a commit.
    public var checkpointPages = 1000

    /// Makes the default options.
    public init() {}
}
