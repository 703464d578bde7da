import CSQLite
import Foundation

/// Maintenance of a whole store, outside the program's transactions.
enum Upkeep {
    /// Rewrites the store without its free pages.
    ///
    /// SQLite attaches the new file for that, which is otherwise forbidden. Rows of tables without a key may get new
    /// rowids, by which alone the history knows them. So the history first records that any row may have changed: the
    /// program may be killed in between.
    static func vacuum(_ session: Session) throws(RepositoryError) {
        let connection = try Connection.of(session)
        try connection.checkFiles()
        if try connection.hasTableWithoutKey { try connection.history?.appendUnknownRows() }
        try connection.withAttaching { () throws(RepositoryError) in try connection.execute("VACUUM") }
        connection.noteRewriting()
    }

    /// Lets SQLite update statistics that are missing or old, from a few hundred rows of each index.
    static func optimize(_ session: Session) throws(RepositoryError) {
        let connection = try Connection.of(session)
        try connection.checkFiles()
        try connection.execute("PRAGMA analysis_limit = 400")
        try connection.execute("PRAGMA optimize")
    }

    /// The tables whose full-text index fails FTS5's check, because its words lead to the wrong rows.
    ///
    /// The check is a statement that writes, so only the writer can run it. The transaction is rolled back.
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
                // The index is missing, which the comparison of its texts has found.
            }
        }
        return damaged
    }

    /// The state that a session reads in its transaction, as the bytes of a file.
    static func bytes(of session: Session) throws(RepositoryError) -> Data {
        let connection = try Connection.of(session)
        guard connection.options.key?.current == nil else {
            throw .misuse(detail: "the bytes of an encrypted store would not be encrypted: back it up into a file")
        }
        // The transaction begins with the first read.
        _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
        var size: sqlite3_int64 = 0
        guard let bytes = sqlite3_serialize(connection.handle, "main", &size, 0) else {
            throw .outOfMemory(Diagnosis(.outOfMemory, "the store does not fit into memory"))
        }
        // Safe because nothing else uses the bytes, and the data frees them with SQLite's allocator.
        return Data(bytesNoCopy: bytes, count: Int(size), deallocator: .custom { bytes, _ in sqlite3_free(bytes) })
    }
}

extension Connection {
    /// Whether the rows of some table have no key but their rowid, which rewriting the store may change.
    fileprivate var hasTableWithoutKey: Bool {
        get throws(RepositoryError) {
            try tableLayouts().contains { $0.value.key.isEmpty && !InternalTables.contains($0.key) }
        }
    }

    static func of(_ session: Session) throws(RepositoryError) -> Connection {
        guard let connection = session.connection as? Connection else {
            throw .misuse(detail: "the store is not a file")
        }
        return connection
    }
}
