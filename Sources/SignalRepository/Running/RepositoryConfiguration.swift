public import Foundation
package import Signals

/// How a repository works with its store; the defaults suit almost everybody.
///
/// ```swift
/// var configuration = RepositoryConfiguration(access: .readOnly)
/// configuration.readers = 8
/// let repository = try SQLiteRepository(.file("movies.sqlite"), entities: Movie.self, configuration: configuration)
/// ```
public struct RepositoryConfiguration: Sendable {
    /// Whether the store may be written.
    public var access: StoreAccess
    /// The key of an encrypted file; `nil` for one that is not, and for a server.
    public var key: EncryptionKey?
    /// How safe a commit is that was delivered; a server decides it for itself.
    public var durability: StoreDurability
    /// Which changes are kept; a server, and a file that something else has made, keep none.
    public var history: StoreHistory
    /// The maximum number of connections that read alongside the writer.
    ///
    /// In memory there are none.
    public var readers = 4
    /// How often a repository with live signals checks whether another process has committed; a
    /// millisecond at least.
    public var watchInterval: Duration = .milliseconds(250)
    /// The length of the write-ahead log, in pages, at which it is checkpointed after a commit.
    public var checkpointPages = 1000

    /// How long a transaction waits for a lock held by another connection, before it fails with `.busy`.
    public var lockTimeout: Duration = .seconds(5)
    /// How long opening waits for another process that has the file open for writing, before it fails.
    public var ownershipTimeout: Duration = .zero

    /// Tells the time of columns marked `.created` or `.updated`, of change sets and of the history.
    ///
    /// It runs on the queues of the store, never under a lock.
    public var now: @Sendable () -> Date = { Date() }
    /// Measures the pauses and reads of live queries: a test's own clock makes them repeatable.
    package var clock: any SignalScheduler = Executor.clock

    /// Functions of the program's own that SQL can call; a server has none.
    public var functions: [SQLFunction] = []
    /// Orders of texts of the program's own that SQL can name; a server has none.
    public var collations: [SQLCollation] = []

    /// Other files whose entities are read beside those of the store; a server, and a store in memory, have none.
    public var attached: [AttachedFile] = []

    /// Reports the statements that take long; by default nothing is reported.
    public var statementLog: StatementLog?

    /// Makes a configuration; whatever is not named here is set afterwards.
    public init(
        access: StoreAccess = .readWrite, key: EncryptionKey? = nil, durability: StoreDurability = .full,
        history: StoreHistory = .none
    ) {
        (self.access, self.key, self.durability, self.history) = (access, key, durability, history)
    }
}

extension Duration {
    /// The duration in whole milliseconds, from none to a hundred years: what is longer is for ever.
    package var milliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds >= 0 else { return 0 }
        return min(Int(clamping: seconds), 3_155_760_000) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
