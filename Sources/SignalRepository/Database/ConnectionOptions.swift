/// How one connection is opened.
struct ConnectionOptions: Sendable {
    /// What a connection is for.
    enum Role: Sendable {
        /// The one connection that writes and checkpoints.
        case writer
        /// Any other: it never writes and never checkpoints.
        case reader
    }

    var role: Role = .writer
    var durability: StoreDurability = .full
    /// How long SQLite waits for a lock, in milliseconds.
    var busyTimeout: Int32 = 5000
    /// Whether `DELETE` without a condition deletes row by row, so that a hook sees every row.
    var deletesRowByRow = false
    /// How many prepared statements are kept.
    var statementCapacity = 128
    /// Hears the text of every statement that starts, without its values.
    var trace: (@Sendable (String) -> Void)?
}
