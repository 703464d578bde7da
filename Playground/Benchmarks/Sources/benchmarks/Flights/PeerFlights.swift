import Foundation
import GRDB

// Hand-written, without Codable and with columns by index, as GRDB's guide on performance recommends.
extension Flight: FetchableRecord, TableRecord {
    init(row: GRDB.Row) {
        self.init(
            id: row[0], year: row[1], month: row[2], day: row[3], departure: row[4], scheduledDeparture: row[5],
            departureDelay: row[6], arrival: row[7], scheduledArrival: row[8], arrivalDelay: row[9], carrier: row[10],
            number: row[11], tailNumber: row[12], origin: row[13], destination: row[14], airTime: row[15],
            distance: row[16], hour: row[17], minute: row[18],
            time: Date(timeIntervalSinceReferenceDate: row[19]))
    }
}

extension PeerStore {
    /// Inserts all rows, with one statement and one transaction per table.
    func insert(_ data: FlightData) throws {
        try insert(data.airlines, FlightTables.insertAirline) { [$0.carrier, $0.name] }
        try insert(data.airports, FlightTables.insertAirport) { airport in
            [
                airport.faa, airport.name, airport.latitude, airport.longitude, airport.altitude, airport.utcOffset,
                airport.daylightSaving.rawValue, airport.timeZone,
            ]
        }
        try insert(data.planes, FlightTables.insertPlane) { plane in
            [
                plane.tailNumber, plane.year, plane.type, plane.manufacturer, plane.model, plane.engines, plane.seats,
                plane.speed, plane.engine,
            ]
        }
        try insert(data.weather, FlightTables.insertWeather) { weather in
            [
                weather.origin, weather.year, weather.month, weather.day, weather.hour, weather.temperature,
                weather.dewPoint, weather.humidity, weather.windDirection, weather.windSpeed, weather.windGust,
                weather.precipitation, weather.pressure, weather.visibility,
                weather.time.timeIntervalSinceReferenceDate,
            ]
        }
        try insert(flights: data.flights)
    }

    /// Inserts flights in a transaction.
    func insert(flights: [Flight]) throws {
        try insert(flights, FlightTables.insertFlight) { flight in
            [
                flight.year, flight.month, flight.day, flight.departure, flight.scheduledDeparture,
                flight.departureDelay, flight.arrival, flight.scheduledArrival, flight.arrivalDelay, flight.carrier,
                flight.number, flight.tailNumber, flight.origin, flight.destination, flight.airTime, flight.distance,
                flight.hour, flight.minute, flight.time.timeIntervalSinceReferenceDate,
            ]
        }
    }

    /// Reads every flight.
    func fetchFlights() throws -> [Flight] { try pool.read { try Flight.fetchAll($0) } }

    private func insert<Item>(_ items: [Item], _ sql: String, _ arguments: (Item) -> StatementArguments) throws {
        try pool.write { database in
            let statement = try database.makeStatement(sql: sql)
            for item in items { try statement.execute(arguments: arguments(item)) }
        }
    }
}
