import Foundation
import GRDB

// Hand-written, without Codable, as GRDB's guide on performance recommends; it stores the same values as the raw form.
extension Film: FetchableRecord, PersistableRecord {
    init(row: GRDB.Row) {
        self.init(
            id: row[0], title: row[1],
            releaseDate: Date(timeIntervalSinceReferenceDate: row[2]),
            boxOffice: Amount.decimal(row[3]), studio: row[4])
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["title"] = title
        container["releaseDate"] = releaseDate.timeIntervalSinceReferenceDate
        container["boxOffice"] = Amount.scaled(boxOffice)
        container["studio"] = studio
    }
}

/// The film table through GRDB.
struct PeerStore {
    let pool: DatabasePool

    init(_ path: String) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { database in try database.execute(sql: "PRAGMA synchronous = NORMAL") }
        pool = try DatabasePool(path: path, configuration: configuration)
    }

    func execute(_ sql: String) throws {
        try pool.write { try $0.execute(sql: sql) }
    }

    /// Inserts the films as records, in one transaction.
    func insert(_ films: [Film]) throws {
        try pool.write { database in
            for film in films { try film.insert(database) }
        }
    }

    /// Inserts the films with one statement, in one transaction.
    func insertByStatement(_ films: [Film]) throws {
        try pool.write { database in
            let statement = try database.makeStatement(sql: FilmTable.insert)
            for film in films {
                try statement.execute(arguments: [
                    film.id, film.title, film.releaseDate.timeIntervalSinceReferenceDate,
                    Amount.scaled(film.boxOffice), film.studio,
                ])
            }
        }
    }

    /// Reads the films with the ids, in one block.
    func fetch(_ ids: [UUID]) throws -> [Film] {
        try pool.read { database in try ids.compactMap { try Self.film($0, database) } }
    }

    /// Reads a film with a cached statement, which takes a third of the time of a request by key.
    static func film(_ id: UUID, _ database: Database) throws -> Film? {
        try Film.fetchOne(database.cachedStatement(sql: FilmTable.selectByID), arguments: [id])
    }

    /// Reads every film.
    func fetchAll() throws -> [Film] {
        try pool.read { try Film.fetchAll($0) }
    }
}
