/// The access of a repository to its store.
public enum StoreAccess: Sendable, Hashable {
    /// Read and write.
    ///
    /// Only one repository in one process can have a file open this way. On a server, any number of repositories can.
    case readWrite
    /// Read only: the store must exist and match the declared entities. A file stays the same, byte for byte.
    ///
    /// While the file is read, SQLite needs its `-wal` and `-shm` files, and creates them if they are missing. When the
    /// last connection closes, SQLite removes both files if this user may write to the file and its folder, and neither
    /// existed before. Otherwise both files stay until the next writer closes, with the owner and permissions of the
    /// user who created them. Opening fails if they are missing and this user cannot create files in the folder: use
    /// `immutable`.
    case readOnly
    /// Read only, for a file that nothing changes while it is open, such as one in an app's bundle or on a read-only
    /// medium.
    ///
    /// SQLite creates no files and takes no locks. If the file does change, reads may return wrong values. Opening
    /// fails if the file has a write-ahead log or a journal, which reads would ignore. On a server, this is the same as
    /// `readOnly`.
    case immutable
}
