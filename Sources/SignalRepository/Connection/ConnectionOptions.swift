import Foundation

struct ConnectionOptions: Sendable {
    enum Role: Sendable, Equatable {
        /// The one connection that writes and checkpoints; see `becomeWriter()`.
        case writer
        /// A connection that never writes and never checkpoints.
        case reader
        /// A connection to a file that no program changes; it takes no lock, and creates no file.
        case immutable
        /// A read-only connection that inspects a file of unknown origin.
        ///
        /// `isUnused` is true for a file in WAL mode without a log or a journal. Such a file is opened as immutable, so
        /// that SQLite creates no log.
        case inspector(isUnused: Bool)
    }

    var role: Role = .writer
    var key: StoreKey?
    var durability: StoreDurability = .full
    /// How long a statement waits for a lock, in milliseconds.
    var busyTimeout: Int32 = 5000
    /// How long to wait for another process that has the file open for writing, in milliseconds.
    var ownershipTimeout = 0
    /// The length of the write-ahead log that triggers a checkpoint, in pages.
    var checkpointPages = 1000
    /// Receives the text of every statement that starts, without its values.
    var trace: (@Sendable (String) -> Void)?

    var functions: [SQLFunction] = []
    var collations: [SQLCollation] = []
    /// The files that readers attach.
    var attached: [AttachedFile] = []
    /// Reports slow statements.
    var log: StatementLog?
    /// The clock for `.created` and `.updated` columns, and for the history.
    var now: @Sendable () -> Date = { Date() }

    func with(_ role: Role) -> ConnectionOptions {
        var options = self
        options.role = role
        return options
    }
}
