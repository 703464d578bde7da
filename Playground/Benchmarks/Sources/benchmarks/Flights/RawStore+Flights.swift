import CSQLite
import Foundation

extension RawStore {
    /// Opens a file with enforced foreign keys, as in the other forms.
    static func flights(_ path: String) throws -> RawStore {
        let store = try RawStore(path)
        try store.execute("PRAGMA foreign_keys = ON")
        return store
    }

    /// Inserts all rows, with one statement and one transaction per table.
    func insert(_ data: FlightData) throws {
        try write(FlightTables.insertAirline, data.airlines) { bind($0, to: $1) }
        try write(FlightTables.insertAirport, data.airports) { bind($0, to: $1) }
        try write(FlightTables.insertPlane, data.planes) { bind($0, to: $1) }
        try write(FlightTables.insertWeather, data.weather) { bind($0, to: $1) }
        try write(FlightTables.insertFlight, data.flights) { bind($0, to: $1) }
    }

    /// Reads every flight.
    func fetchFlights() throws -> [Flight] { try read(FlightTables.selectFlights) { flight($0) } }

    private func bind(_ airline: Airline, to statement: OpaquePointer) {
        bind(airline.carrier, to: statement, at: 1)
        bind(airline.name, to: statement, at: 2)
    }

    private func bind(_ airport: Airport, to statement: OpaquePointer) {
        bind(airport.faa, to: statement, at: 1)
        bind(airport.name, to: statement, at: 2)
        sqlite3_bind_double(statement, 3, airport.latitude)
        sqlite3_bind_double(statement, 4, airport.longitude)
        bind(airport.altitude, to: statement, at: 5)
        bind(airport.utcOffset, to: statement, at: 6)
        bind(airport.daylightSaving.rawValue, to: statement, at: 7)
        bind(optional: airport.timeZone, to: statement, at: 8)
    }

    private func bind(_ plane: Plane, to statement: OpaquePointer) {
        bind(plane.tailNumber, to: statement, at: 1)
        bind(plane.year, to: statement, at: 2)
        bind(plane.type, to: statement, at: 3)
        bind(plane.manufacturer, to: statement, at: 4)
        bind(plane.model, to: statement, at: 5)
        bind(plane.engines, to: statement, at: 6)
        bind(plane.seats, to: statement, at: 7)
        bind(plane.speed, to: statement, at: 8)
        bind(plane.engine, to: statement, at: 9)
    }

    private func bind(_ weather: Weather, to statement: OpaquePointer) {
        bind(weather.origin, to: statement, at: 1)
        bind(weather.year, to: statement, at: 2)
        bind(weather.month, to: statement, at: 3)
        bind(weather.day, to: statement, at: 4)
        bind(weather.hour, to: statement, at: 5)
        bind(weather.temperature, to: statement, at: 6)
        bind(weather.dewPoint, to: statement, at: 7)
        bind(weather.humidity, to: statement, at: 8)
        bind(weather.windDirection, to: statement, at: 9)
        bind(weather.windSpeed, to: statement, at: 10)
        bind(weather.windGust, to: statement, at: 11)
        sqlite3_bind_double(statement, 12, weather.precipitation)
        bind(weather.pressure, to: statement, at: 13)
        sqlite3_bind_double(statement, 14, weather.visibility)
        sqlite3_bind_double(statement, 15, weather.time.timeIntervalSinceReferenceDate)
    }

    private func bind(_ flight: Flight, to statement: OpaquePointer) {
        bind(flight.year, to: statement, at: 1)
        bind(flight.month, to: statement, at: 2)
        bind(flight.day, to: statement, at: 3)
        bind(flight.departure, to: statement, at: 4)
        bind(flight.scheduledDeparture, to: statement, at: 5)
        bind(flight.departureDelay, to: statement, at: 6)
        bind(flight.arrival, to: statement, at: 7)
        bind(flight.scheduledArrival, to: statement, at: 8)
        bind(flight.arrivalDelay, to: statement, at: 9)
        bind(flight.carrier, to: statement, at: 10)
        bind(flight.number, to: statement, at: 11)
        bind(optional: flight.tailNumber, to: statement, at: 12)
        bind(flight.origin, to: statement, at: 13)
        bind(flight.destination, to: statement, at: 14)
        bind(flight.airTime, to: statement, at: 15)
        bind(flight.distance, to: statement, at: 16)
        bind(flight.hour, to: statement, at: 17)
        bind(flight.minute, to: statement, at: 18)
        sqlite3_bind_double(statement, 19, flight.time.timeIntervalSinceReferenceDate)
    }

    private func flight(_ statement: OpaquePointer) -> Flight {
        Flight(
            id: integer(statement, 0), year: integer(statement, 1), month: integer(statement, 2),
            day: integer(statement, 3), departure: number(statement, 4).map { Int($0) },
            scheduledDeparture: integer(statement, 5), departureDelay: number(statement, 6).map { Int($0) },
            arrival: number(statement, 7).map { Int($0) }, scheduledArrival: integer(statement, 8),
            arrivalDelay: number(statement, 9).map { Int($0) }, carrier: text(statement, 10) ?? "",
            number: integer(statement, 11), tailNumber: text(statement, 12), origin: text(statement, 13) ?? "",
            destination: text(statement, 14) ?? "", airTime: number(statement, 15).map { Int($0) },
            distance: integer(statement, 16), hour: integer(statement, 17), minute: integer(statement, 18),
            time: Date(timeIntervalSinceReferenceDate: sqlite3_column_double(statement, 19)))
    }

    private func integer(_ statement: OpaquePointer, _ column: Int32) -> Int {
        Int(sqlite3_column_int64(statement, column))
    }

    private func bind(_ number: Int, to statement: OpaquePointer, at index: Int32) {
        sqlite3_bind_int64(statement, index, Int64(number))
    }

    private func bind(_ number: Int?, to statement: OpaquePointer, at index: Int32) {
        bind(number.map { Int64($0) }, to: statement, at: index)
    }

    private func bind(_ number: Double?, to statement: OpaquePointer, at index: Int32) {
        if let number {
            sqlite3_bind_double(statement, index, number)
        } else {
            sqlite3_bind_null(statement, index)
        }
    }

    private func bind(optional text: String?, to statement: OpaquePointer, at index: Int32) {
        if let text {
            bind(text, to: statement, at: index)
        } else {
            sqlite3_bind_null(statement, index)
        }
    }
}
