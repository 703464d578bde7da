/// How the film table looks and how its file is opened, the same for all forms.
enum FilmTable {
    static let schema = """
        CREATE TABLE "Film" (
            "id" BLOB NOT NULL PRIMARY KEY, "title" TEXT NOT NULL, "releaseDate" REAL NOT NULL,
            "boxOffice" INTEGER NOT NULL, "studio" TEXT)
        """
    static let settings = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL"
    static let columns = #""id", "title", "releaseDate", "boxOffice", "studio""#
    static let insert = #"INSERT INTO "Film" (\#(columns)) VALUES (?, ?, ?, ?, ?)"#
    static let selectAll = #"SELECT \#(columns) FROM "Film""#
    static let selectByID = selectAll + #" WHERE "id" = ?"#
}
