/// Where a repository keeps its items.
public enum StoreLocation: Sendable, Hashable {
    /// A file. A relative path is relative to the current folder.
    ///
    /// Beside it are `-wal` and `-shm`, which belong to it while it is open, and `-lock`, by which processes agree on
    /// who writes. All of them are accessible only to their owner. Copy a store when it is closed, or with `.backup` of
    /// SQLite's command-line program.
    case file(String)
    /// Memory: gone when the repository is closed.
    case inMemory
}

/// What a repository may do with its store.
public enum StoreAccess: Sendable, Hashable {
    /// Read and write. Only one repository in one process at a time can have a file open this way.
    case readWrite
    /// Read only: the file must exist and fit the declared entities, and stays as it is, byte for byte.
    ///
    /// While it is read, SQLite keeps `-wal` and `-shm` beside it, creating them if nobody else has. They are removed
    /// when the last connection closes, if this user may write to the file and its folder and the log was not there
    /// before; otherwise they stay until the next writer closes, with the owner and permissions of whoever created
    /// them. In a folder where this user may create no files, and nobody else has created them, opening succeeds and
    /// reads fail.
    case readOnly
}

/// When a commit is durable.
public enum StoreDurability: Sendable, Hashable {
    /// A finished commit survives a power cut.
    case full
    /// A power cut may lose the last commits, never part of one. Much faster for many small commits.
    case normal

    /// The value of SQLite's `synchronous` setting.
    var synchronous: Int64 {
        switch self {
        case .normal: 1
        case .full: 2
        }
    }
}
