/// How one connection is opened.
struct ConnectionOptions: Sendable {
    /// What a connection is for.
    enum Role: Sendable, Equatable {
        /// The one connection that writes and moves the log into the file; see `becomeWriter()`.
        case writer
        /// Any other: it never writes and never moves the log.
        case reader
        /// One that looks at a file which may not be ours. When nobody uses the file, it makes no log beside it.
        case inspector(isUnused: Bool)
    }

    var role: Role = .writer
    var durability: StoreDurability = .full
    /// How long SQLite waits for a lock, in milliseconds.
    var busyTimeout: Int32 = 5000
    /// How long another process is waited for that has the file open for writing, in milliseconds.
    var ownershipTimeout = 0
    /// Whether `DELETE` without a condition deletes row by row, so that a hook sees every row.
    var deletesRowByRow = false
    /// How many prepared statements are kept.
    var statementCapacity = 128
    /// Hears the text of every statement that starts, without its values.
    var trace: (@Sendable (String) -> Void)?

    /// Returns the same options for a connection of another kind.
    func with(_ role: Role) -> ConnectionOptions {
        var options = self
        options.role = role
        return options
    }
}
