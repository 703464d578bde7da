import Foundation

struct ConnectionOptions: Sendable {
    enum Role: Sendable, Equatable {
        /// The one connection that writes and checkpoints; see `becomeWriter()`.
        case writer
        /// Any other: it never writes and never checkpoints.
        case reader
        /// A reader of a file that nobody changes: it takes no lock, and creates nothing beside the file.
        case immutable
        /// One that inspects a file which may not be ours. When nobody uses the file, it creates no log beside it.
        case inspector(isUnused: Bool)
    }

    var role: Role = .writer
    var key: StoreKey?
    var durability: StoreDurability = .full
    /// How long SQLite waits for a lock, in milliseconds.
    var busyTimeout: Int32 = 5000
    /// How long to wait for another process that has the file open for writing, in milliseconds.
    var ownershipTimeout = 0
    /// How long the log may become before it is checkpointed, in pages.
    var checkpointPages = 1000
    /// Receives the text of every statement that starts, without its values.
    var trace: (@Sendable (String) -> Void)?

    var functions: [SQLFunction] = []
    var collations: [SQLCollation] = []
    /// The files that those who read have attached.
    var attached: [AttachedFile] = []
    /// Reports the statements that take long.
    var log: StatementLog?
    /// Tells the time, for columns in which the store keeps it.
    var now: @Sendable () -> Date = { Date() }

    func with(_ role: Role) -> ConnectionOptions {
        var options = self
        options.role = role
        return options
    }
}
