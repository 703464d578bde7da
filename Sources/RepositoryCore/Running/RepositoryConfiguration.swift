public import Foundation
package import Signals

/// The settings of a repository; the defaults suit most programs.
///
/// ```swift
/// var configuration = RepositoryConfiguration(access: .readOnly)
/// configuration.readers = 8
/// let repository = try SQLiteRepository(.file("movies.sqlite"), entities: Movie.self, configuration: configuration)
/// ```
public struct RepositoryConfiguration: Sendable {
    /// Whether the repository may write to the store.
    public var access: StoreAccess
    /// The key of an encrypted file; `nil` for an unencrypted file and for a server.
    public var key: EncryptionKey?
    /// The durability of a commit that has been reported to a sink.
    ///
    /// A server has its own setting instead.
    public var durability: StoreDurability
    /// Whether the store keeps a history of its changes.
    ///
    /// Servers, and files made by other software, keep no history.
    public var history: StoreHistory
    /// The maximum number of connections that read alongside the writer.
    ///
    /// An in-memory store has no readers.
    public var readers = 4
    /// The interval at which the repository checks for commits by other processes while a live signal or a signal of
    /// changes is attached; at least 1 ms.
    public var watchInterval: Duration = .milliseconds(250)
    /// The length of the write-ahead log, in pages, at which it is checkpointed after a commit.
    public var checkpointPages = 1000

    /// How long a transaction waits for a lock held by another connection, before it fails with `.busy`.
    public var lockTimeout: Duration = .seconds(5)
    /// How long opening a file waits if another process has the file open for writing, before opening fails.
    public var ownershipTimeout: Duration = .zero

    /// The clock for columns marked `.created` or `.updated`, for change sets and for the history.
    ///
    /// The repository calls it on its queues, and never while it holds a lock.
    public var now: @Sendable () -> Date = { Date() }
    /// The clock that times the delays and reads of live queries.
    ///
    /// A test can set its own clock, so that these delays and times are repeatable.
    package var clock: any SignalScheduler = Executor.clock
    /// The maximum memory of the rows, groups and values that a live query holds for its updates, in estimated bytes.
    ///
    /// A query that would hold more is re-read after each commit to its tables, until its result is smaller. The
    /// estimate does not include the bytes of long texts and blobs.
    public var liveMemoryLimit = 256 << 20

    /// Custom functions that SQL can call; a server supports none.
    public var functions: [SQLFunction] = []
    /// Custom text orders that SQL can use by name; a server supports none.
    public var collations: [SQLCollation] = []

    /// Attached files, whose entities can be read together with the entities of the store.
    ///
    /// Servers and in-memory stores have no attached files.
    public var attached: [AttachedFile] = []

    /// The log of slow statements; by default, nothing is reported.
    public var statementLog: StatementLog?

    /// Creates a configuration.
    ///
    /// All other settings are properties that can be set afterwards.
    public init(
        access: StoreAccess = .readWrite, key: EncryptionKey? = nil, durability: StoreDurability = .full,
        history: StoreHistory = .none
    ) {
        (self.access, self.key, self.durability, self.history) = (access, key, durability, history)
    }
}

extension Duration {
    /// The duration in whole milliseconds, clamped to the range from 0 to a hundred years.
    package var milliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds >= 0 else { return 0 }
        return min(Int(clamping: seconds), 3_155_760_000) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
