import SignalRepository

/// The file that every form begins with, and the statements that the raw and the peer form use.
enum FlightTables {
    static let entities: [any Entity.Type] = [Airline.self, Airport.self, Plane.self, Weather.self, Flight.self]
    static let insertAirline = insert(Airline.self)
    static let insertAirport = insert(Airport.self)
    static let insertPlane = insert(Plane.self)
    static let insertWeather = insert(Weather.self)
    static let insertFlight = insert(Flight.self)
    static let selectFlights: String = {
        let names = Flight.schema.columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
        return #"SELECT \#(names) FROM "Flight""#
    }()

    /// Lays out an empty file, so that all forms have the same schema, page size and journal.
    static func create(_ path: String) throws {
        try close(SQLiteRepository(flights: path))
    }

    /// Closes a store and waits until it is closed.
    static func close(_ repository: SQLiteRepository) throws {
        try repository.close().wait()
    }

    private static func insert<Item: DataItem>(_ type: Item.Type) -> String {
        let names = type.dataColumns.map { "\"\($0)\"" }.joined(separator: ", ")
        let marks = type.dataColumns.map { _ in "?" }.joined(separator: ", ")
        return #"INSERT INTO "\#(type.entityName)" (\#(names)) VALUES (\#(marks))"#
    }
}

extension SQLiteRepository {
    /// Opens a file with the settings of the other forms.
    convenience init(flights path: String) throws(RepositoryError) {
        try self.init(
            .file(path), entities: FlightTables.entities, configuration: RepositoryConfiguration(durability: .normal))
    }

    /// Inserts all rows, with one transaction per table.
    func insert(_ data: FlightData) throws {
        _ = try insert(data.airlines).wait()
        _ = try insert(data.airports).wait()
        _ = try insert(data.planes).wait()
        _ = try insert(data.weather).wait()
        _ = try insert(data.flights).wait()
    }
}
