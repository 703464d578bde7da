/// The location of a repository's items.
public enum StoreLocation: Sendable, Hashable {
    /// A file; a relative path starts at the current folder.
    ///
    /// Next to it are `-wal` and `-shm`, which belong to the store while it is open, and `-lock`, which decides the
    /// process that writes. All of these files are accessible only to their owner. Copy a store when it is closed, or
    /// with `.backup` of SQLite's command-line program.
    case file(String)
    /// Memory; the items are gone when the repository is closed.
    case inMemory
}
