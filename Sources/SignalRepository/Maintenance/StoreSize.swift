import Foundation

/// The size of a store, in bytes.
public struct StoreSize: Sendable, Hashable {
    /// The size of the file: all pages, in use or free.
    public let file: Int
    /// The size of the file's free pages, which `vacuum()` releases.
    public let free: Int
    /// The size of the write-ahead log beside the file.
    public let log: Int

    /// Measures the state that a connection reads in its transaction.
    init(of connection: Connection) throws(RepositoryError) {
        let page = Int(try connection.integer("PRAGMA page_size"))
        file = page * Int(try connection.integer("PRAGMA page_count"))
        free = page * Int(try connection.integer("PRAGMA freelist_count"))
        var status = stat()
        log = stat(connection.path + "-wal", &status) == 0 ? Int(status.st_size) : 0
    }
}
