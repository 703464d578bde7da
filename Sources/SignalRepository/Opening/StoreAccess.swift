/// What a repository may do with its store.
public enum StoreAccess: Sendable, Hashable {
    /// Read and write. Only one repository in one process at a time can have a file open this way; on a server as many
    /// as there are can have a store.
    case readWrite
    /// Read only: the store must exist and fit the declared entities, and stays as it is; a file, byte for byte.
    ///
    /// While it is read, SQLite keeps `-wal` and `-shm` beside it, creating them if nobody else has. They are removed
    /// when the last connection closes, if this user may write to the file and its folder and the log was not there
    /// before; otherwise they stay until the next writer closes, with the owner and permissions of whoever created
    /// them. A folder where this user may create no files, and nobody else has created them, is refused: that is what
    /// `immutable` is for.
    case readOnly
    /// Read only, and nobody changes the file while it is open: what an app brings with it, or a medium that cannot be
    /// written.
    ///
    /// No file is made beside it, and no lock is taken. If somebody does change it, what is read may be wrong. A file
    /// with a log beside it is refused, because what the log holds would be missing. On a server it is `readOnly`.
    case immutable
}
