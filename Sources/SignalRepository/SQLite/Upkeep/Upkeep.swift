import CSQLite
import Foundation

/// Work on a whole store that is not a transaction's, on a connection that is between two.
enum Upkeep {
    /// Writes the store anew without its free pages.
    ///
    /// SQLite attaches the new one for that, which is forbidden otherwise. Rows of tables without a key may get other
    /// rowids, by which alone the history knows them: it says so first, since a program may be killed in between.
    static func vacuum(_ session: Session) throws(RepositoryError) {
        let connection = try Connection.of(session)
        try connection.checkFiles()
        if try connection.hasTableWithoutKey { try connection.history?.appendUnknownRows() }
        try connection.withAttaching { () throws(RepositoryError) in try connection.execute("VACUUM") }
        connection.noteRewriting()
    }

    /// Has SQLite look at the tables whose statistics are missing or old, at a few hundred rows of each index.
    static func optimize(_ session: Session) throws(RepositoryError) {
        let connection = try Connection.of(session)
        try connection.checkFiles()
        try connection.execute("PRAGMA analysis_limit = 400")
        try connection.execute("PRAGMA optimize")
    }

    /// The tables whose full-text index says of itself that it is damaged: words that lead to other rows than those
    /// that have them.
    ///
    /// FTS5 is asked by a statement that writes, so only the connection that writes can; nothing is kept of it.
    static func damagedSearches(_ session: Session) throws(RepositoryError) -> [String] {
        let connection = try Connection.of(session)
        var damaged: [String] = []
        for table in try SearchShape.tables(in: connection) {
            try connection.begin(.write)
            defer { try? connection.rollback() }
            let name = Identifier.quoted(SearchIndex.name(of: table))
            do {
                try connection.execute("INSERT INTO \(name) (\(name)) VALUES ('integrity-check')")
            } catch .corrupt {
                damaged.append(table)
            } catch .misuse {
                // There is no such index, which the comparison of its texts has found.
            }
        }
        return damaged
    }

    /// The bytes of a file that holds what a session reads in its transaction.
    static func bytes(of session: Session) throws(RepositoryError) -> Data {
        let connection = try Connection.of(session)
        guard connection.options.key?.current == nil else {
            throw .misuse(detail: "the bytes of an encrypted store would be readable: back it up into a file")
        }
        // Only what is read begins the transaction.
        _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
        var size: sqlite3_int64 = 0
        guard let bytes = sqlite3_serialize(connection.handle, "main", &size, 0) else {
            throw .outOfMemory(Diagnosis(.outOfMemory, "the store does not fit into memory"))
        }
        // Safe because the bytes are ours alone, and go back to SQLite's allocator when the data is released.
        return Data(bytesNoCopy: bytes, count: Int(size), deallocator: .custom { bytes, _ in sqlite3_free(bytes) })
    }
}

extension Connection {
    /// Whether rows of some table have no key but their rowid, which a rewriting of the store may change.
    fileprivate var hasTableWithoutKey: Bool {
        get throws(RepositoryError) {
            try tableLayouts().contains { $0.value.key.isEmpty && !OwnTables.contains($0.key) }
        }
    }

    static func of(_ session: Session) throws(RepositoryError) -> Connection {
        guard let connection = session.connection as? Connection else {
            throw .misuse(detail: "the store is not a file")
        }
        return connection
    }
}
