import SignalRepository

/// The file that every form begins with, and the statements that the raw and the peer form use.
enum FilmTable {
    static let columns = #""id", "title", "releaseDate", "boxOffice", "studio""#
    static let insert = #"INSERT INTO "Film" (\#(columns)) VALUES (?, ?, ?, ?, ?)"#
    static let update =
        #"UPDATE "Film" SET "title" = ?2, "releaseDate" = ?3, "boxOffice" = ?4, "studio" = ?5 WHERE "id" = ?1"#
    static let selectAll = #"SELECT \#(columns) FROM "Film""#
    static let selectByID = selectAll + #" WHERE "id" = ?"#

    /// Lays out an empty file, so that all forms have the same schema, page size and journal.
    static func create(_ path: String) throws {
        let repository = try SQLiteRepository(.file(path), entities: Film.self)
        try repository.close().wait()
    }

    /// Lays out a file with all films in it.
    static func fill(_ path: String) throws {
        try create(path)
        try RawStore(path).insert(Film.samples)
    }
}
