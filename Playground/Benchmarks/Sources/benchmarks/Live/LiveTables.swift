import SignalRepository

/// The file that every form of a live row begins with.
enum LiveTables {
    /// Lays out an empty file, so that all forms have the same schema, page size and journal.
    static func create(_ path: String) throws {
        let repository = try SQLiteRepository(live: path)
        try repository.close().wait()
    }
}
