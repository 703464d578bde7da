/// The location of a repository's items.
public enum StoreLocation: Sendable, Hashable {
    /// A file; a relative path starts at the current folder.
    ///
    /// Three more files have the same path and a suffix. `-wal` and `-shm` belong to the store while it is open. A lock
    /// on `-lock` decides which process writes. All four files are accessible only to their owner. Copy a store when it
    /// is closed, or with `.backup` of SQLite's command-line program.
    case file(String)
    /// Memory; the items are gone when the repository is closed.
    case inMemory
}
