import CSQLite
import Foundation

// Maintenance of a whole store, outside the program's transactions.
extension Connection {
    /// Rewrites the store without its free pages.
    ///
    /// During VACUUM, SQLite attaches the new file; the connection otherwise forbids attaching. Rows of a table without
    /// a key may get new rowids, although the history identifies them by their rowids alone. So the history first
    /// records that any row may have changed. A later record would be missing if the program were killed in between.
    func vacuum() throws(RepositoryError) {
        try checkFiles()
        if try hasTableWithoutKey { try history?.appendUnknownRows() }
        try withAttaching { () throws(RepositoryError) in try execute("VACUUM") }
        noteRewriting()
    }

    /// Lets SQLite update missing or old statistics, from a few hundred rows of each index.
    func optimize() throws(RepositoryError) {
        try checkFiles()
        try execute("PRAGMA analysis_limit = 400")
        try execute("PRAGMA optimize")
    }

    /// Returns the tables whose full-text index fails FTS5's check, so that a search may find wrong rows.
    ///
    /// FTS5 runs the check as an INSERT, so only the writer can run it. The transaction is rolled back.
    func damagedSearches() throws(RepositoryError) -> [String] {
        var damaged: [String] = []
        for table in try SearchShape.tables(in: self) {
            try begin(.write)
            defer { try? rollback() }
            let name = Identifier.quoted(SearchIndex.name(of: table))
            do {
                try execute("INSERT INTO \(name) (\(name)) VALUES ('integrity-check')")
            } catch .corrupt {
                damaged.append(table)
            } catch .misuse {
                // The index is missing; the comparison of its texts with the table has already reported that.
            }
        }
        return damaged
    }

    /// Returns the state that the current transaction reads, as the bytes of a file.
    func serialized() throws(RepositoryError) -> Data {
        guard options.key?.current == nil else {
            throw .misuse(detail: "the bytes of an encrypted store would not be encrypted: back it up into a file")
        }
        // The transaction begins with the first read.
        _ = try integer("SELECT count(*) FROM sqlite_schema")
        var size: sqlite3_int64 = 0
        guard let bytes = sqlite3_serialize(handle, "main", &size, 0) else {
            throw .outOfMemory(Diagnosis(.outOfMemory, "the store does not fit into memory"))
        }
        // Safe because nothing else uses the bytes, and the data frees them with SQLite's allocator.
        return Data(bytesNoCopy: bytes, count: Int(size), deallocator: .custom { bytes, _ in sqlite3_free(bytes) })
    }
}

extension Connection {
    /// Whether any table has no key except the rowid.
    ///
    /// Rewriting the store may change the rowids of such a table.
    fileprivate var hasTableWithoutKey: Bool {
        get throws(RepositoryError) {
            try tableLayouts().contains { $0.value.key.isEmpty && !InternalTables.contains($0.key) }
        }
    }
}
