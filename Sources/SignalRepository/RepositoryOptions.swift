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

    /// How long a transaction waits for a lock that another connection holds, before it fails with `.busy`.
    public var lockTimeout: Duration = .seconds(5)
    /// How long opening waits for another process that has the file open for writing, before it fails.
    public var ownershipTimeout: Duration = .zero

    /// Makes the default options.
    public init() {}
}

extension Duration {
    /// The duration in whole milliseconds.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
