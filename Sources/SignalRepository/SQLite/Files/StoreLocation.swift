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
