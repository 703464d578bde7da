import Foundation
import GRDB

// The questions in GRDB's query interface where it can express them, decoded into the row types that its guide uses.
extension Flight {
    static let airline = belongsTo(Airline.self, using: ForeignKey(["carrier"]))
    static let airport = belongsTo(Airport.self, using: ForeignKey(["dest"]))
    static let plane = belongsTo(Plane.self, using: ForeignKey(["tailnum"]))
}

extension Airline: TableRecord {}

extension Airport: TableRecord, FetchableRecord {
    init(row: GRDB.Row) {
        self.init(
            faa: row[0], name: row[1], latitude: row[2], longitude: row[3], altitude: row[4], utcOffset: row[5],
            daylightSaving: DaylightSaving(rawValue: row[6]) ?? .unknown, timeZone: row[7])
    }
}

extension Plane: TableRecord, FetchableRecord {
    init(row: GRDB.Row) {
        self.init(
            tailNumber: row[0], year: row[1], type: row[2], manufacturer: row[3], model: row[4], engines: row[5],
            seats: row[6], speed: row[7], engine: row[8])
    }
}

/// A flight with its plane.
private struct PlaneFlight: FetchableRecord {
    let flight: Flight
    let plane: Plane

    init(row: GRDB.Row) {
        flight = Flight(row: row)
        plane = row["plane"]
    }
}

/// A name with a number.
struct NamedNumber: Decodable, FetchableRecord {
    let name: String
    let number: Double?
}

extension PeerStore {
    func delaysByCarrier() throws -> Int {
        let airline = TableAlias()
        let request = Flight.joining(required: Flight.airline.aliased(airline))
            .select(airline[Column("name")].forKey("name"), average(Column("arr_delay")).forKey("number"))
            .group(airline[Column("name")]).order(airline[Column("name")])
        return try pool.read { try NamedNumber.fetchAll($0, request.asRequest(of: NamedNumber.self)) }
            .checksum {
                $0.combine($1.name); $0.combine($1.number ?? 0)
            }
    }

    func topDestinations() throws -> Int {
        try pool.read { try Self.topDestinations($0) }
            .checksum {
                $0.combine($1.name); $0.combine(Int($1.number ?? 0))
            }
    }

    static func topDestinations(_ database: Database) throws -> [NamedNumber] {
        let airport = TableAlias()
        let request = Flight.joining(required: Flight.airport.aliased(airport))
            .select(airport[Column("name")].forKey("name"), count(Column("id")).forKey("number"))
            .group(airport[Column("name")]).order(count(Column("id")).desc, airport[Column("name")]).limit(10)
        return try NamedNumber.fetchAll(database, request.asRequest(of: NamedNumber.self))
    }

    func flightsOfOldPlanes() throws -> Int {
        let request = Flight.including(required: Flight.plane.filter(Column("year") < 1990)).order(Column("id"))
        return try pool.read { try PlaneFlight.fetchAll($0, request.asRequest(of: PlaneFlight.self)) }
            .checksum {
                $0.combine($1.flight.id); $0.combine($1.plane.seats)
            }
    }

    func delaysByRain() throws -> Int {
        let sql = """
            SELECT Weather.precip > 0, avg(dep_delay) FROM Flight
            JOIN Weather ON Flight.origin = Weather.origin AND Flight.time_hour = Weather.time_hour
            GROUP BY 1 ORDER BY 1
            """
        return try pool.read { try GRDB.Row.fetchAll($0, sql: sql) }
            .checksum {
                $0.combine($1[0] as Int); $0.combine($1[1] as Double? ?? 0)
            }
    }

    func carriers() throws -> Int {
        let request = Flight.select(Column("carrier"), as: String.self).distinct().order(Column("carrier"))
        return try pool.read { try String.fetchAll($0, request) }.checksum { $0.combine($1) }
    }

    func flightsByOriginAndCarrier() throws -> Int {
        let request = Flight.select(Column("origin"), Column("carrier"), count(Column("id")))
            .group(Column("origin"), Column("carrier")).order(Column("origin"), Column("carrier"))
        return try pool.read { try GRDB.Row.fetchAll($0, request) }
            .checksum {
                $0.combine($1[0] as String); $0.combine($1[1] as String); $0.combine($1[2] as Int)
            }
    }

    func pageByOffset() throws -> Int {
        try pool.read { try Flight.order(Column("id")).limit(50, offset: 300_000).fetchAll($0) }
            .checksum { $0.combine($1.id) }
    }

    func pagesByKey() throws -> Int {
        var (sum, last) = (Checksum(), 0)
        for _ in 0..<10 {
            let page = try pool.read { [last] database in
                try Flight.filter(Column("id") > last).order(Column("id")).limit(50).fetchAll(database)
            }
            for flight in page { sum.combine(flight.id) }
            last = page.last?.id ?? last
        }
        return sum.value
    }

    func airports() throws -> Int {
        let pattern = FTS5Pattern(matchingAllPrefixesIn: "inter")
        let sql = """
            SELECT * FROM Airport WHERE rowid IN (
                SELECT rowid FROM "signal_repository_search(Airport)"
                WHERE "signal_repository_search(Airport)" MATCH ?
            ) ORDER BY rowid
            """
        return try pool.read { try Airport.fetchAll($0, sql: sql, arguments: [pattern]) }.checksum {
            $0.combine($1.name)
        }
    }

    func delaysByHour() throws -> Int {
        let request = Flight.select(Column("hour"), average(Column("dep_delay")))
            .group(Column("hour")).order(Column("hour"))
        return try pool.read { try GRDB.Row.fetchAll($0, request) }
            .checksum {
                $0.combine($1[0] as Int); $0.combine($1[1] as Double? ?? 0)
            }
    }

    func busyCarriers() throws -> Int {
        let request = Flight.select(Column("carrier"), count(Column("id")))
            .group(Column("carrier")).having(count(Column("id")) > 10_000).order(Column("carrier"))
        return try pool.read { try GRDB.Row.fetchAll($0, request) }
            .checksum {
                $0.combine($1[0] as String); $0.combine($1[1] as Int)
            }
    }

    func patch() throws -> Int {
        try pool.write { database in
            try Flight.filter(key: 7).updateAll(database, Column("dep_delay").set(to: 12))
            return try Flight.find(database, key: 7).id
        }
    }

    func patches() throws -> Int {
        try pool.write { database in
            for id in 1...1_000 {
                try Flight.filter(key: id).updateAll(database, Column("dep_delay").set(to: id))
                _ = try Flight.find(database, key: id)
            }
        }
        return 1_000
    }
}
