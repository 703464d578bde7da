import Foundation

/// How much room a store takes, in bytes.
public struct StoreSize: Sendable, Hashable {
    /// The file, as far as its pages are in use or were.
    public let file: Int
    /// The pages of the file that hold nothing; `vacuum()` gives them back.
    public let free: Int
    /// The write-ahead log beside the file.
    public let log: Int

    /// Measures what a session reads in its transaction.
    init(of session: Session) throws(RepositoryError) {
        let connection = try Connection.of(session)
        let page = Int(try connection.integer("PRAGMA page_size"))
        file = page * Int(try connection.integer("PRAGMA page_count"))
        free = page * Int(try connection.integer("PRAGMA freelist_count"))
        var status = stat()
        log = stat(connection.path + "-wal", &status) == 0 ? Int(status.st_size) : 0
    }
}
