/// Where a repository keeps its items.
public enum Store: Sendable, Hashable {
    /// A file. A relative path starts at the current folder.
    ///
    /// Beside it stand `-wal` and `-shm`, which belong to it while it is open, and `-lock`, by which processes agree on
    /// who writes. All of them are for their owner alone. Copy a store only when it is closed.
    case file(String)
    /// Memory: gone when the repository is closed.
    case inMemory
}

/// What a repository may do with its store.
public enum StoreAccess: Sendable, Hashable {
    /// Read and write. One repository of one process at a time has a file this way.
    case readWrite
    /// Read only: the file must exist and fit the declared entities; nothing is ever written.
    case readOnly
}

/// When a commit is durable.
public enum StoreDurability: Sendable, Hashable {
    /// A finished commit survives a power cut.
    case full
    /// A power cut may take the last commits, never part of one. Much faster for many small commits.
    case normal

    /// The value of SQLite's `synchronous` setting.
    var synchronous: Int64 {
        switch self {
        case .normal: 1
        case .full: 2
        }
    }
}
