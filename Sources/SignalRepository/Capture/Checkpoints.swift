import CSQLite

/// Checkpoints the write-ahead log when it has grown, on the writer only, and between two transactions.
///
/// SQLite calls back with a plain pointer to this object. That is safe because the owner of the connection keeps the
/// object until the connection is closed.
final class Checkpoints {
    /// The length of the log, in pages, after the last commit.
    private var pages = 0
    /// The number of commits of this connection that wrote to the log, modulo 2^32.
    private var commits: UInt32 = 0
    /// The length, in pages, at which the next checkpoint is due.
    ///
    /// Each checkpoint raises it, until the log starts over from its beginning.
    private var due: Int
    private let bound: Int
    private let connection: Connection

    /// Replaces SQLite's own automatic checkpoint on the connection.
    init(_ connection: Connection, bound: Int) {
        self.connection = connection
        self.bound = bound
        due = bound
        // Safe because the hook receives a pointer to this object, and `deinit` removes the hook.
        sqlite3_wal_hook(
            connection.handle,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                let checkpoints = Unmanaged<Checkpoints>.fromOpaque(context).takeUnretainedValue()
                checkpoints.pages = Int(pages)
                checkpoints.commits &+= 1
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        if connection.handle != nil { sqlite3_wal_hook(connection.handle, nil, nil) }
    }

    /// The number of commits to the log by other connections, counted from an arbitrary start, or `nil` if unknown.
    ///
    /// While this connection holds the write lock, no other connection can commit, and the number is exact. Otherwise
    /// it may include a commit that this connection has not read yet. A checkpoint by another program does not change
    /// the number.
    var externalCommits: Int64? {
        guard let handle = connection.handle else { return nil }
        let all = csqlite_log_commits(handle)
        return all < 0 ? nil : Int64(UInt32(truncatingIfNeeded: all) &- commits)
    }

    var isDue: Bool {
        if pages < bound { due = bound }
        return pages >= due
    }

    /// Checkpoints the part of the log that no reader still needs.
    func run() {
        guard isDue, connection.handle != nil, (try? connection.checkFiles()) != nil else { return }
        var length: Int32 = 0
        var moved: Int32 = 0
        sqlite3_wal_checkpoint_v2(connection.handle, nil, SQLITE_CHECKPOINT_PASSIVE, &length, &moved)
        due = pages + bound
    }
}
