import SignalRepository

/// Compares the rows that a form stored or read, field by field, with the data of the files.
enum FlightCheck {
    /// Compares all rows of a file, which the form may still have open.
    static func file(_ path: String, _ data: FlightData) throws -> Int {
        let repository = try SQLiteRepository(
            .file(path), entities: FlightTables.entities, configuration: RepositoryConfiguration(access: .readOnly))
        try equal(repository.fetch(Airline.all).wait(), data.airlines)
        try equal(repository.fetch(Airport.all).wait(), data.airports)
        try equal(repository.fetch(Plane.all).wait(), data.planes)
        try equal(repository.fetch(Weather.all).wait(), data.weather)
        let checksum = try flights(repository.fetch(Flight.all).wait(), data)
        try FlightTables.close(repository)
        return checksum
    }

    /// Compares the flights, which are numbered in the order of the data, and returns their count and air time as one
    /// number.
    static func flights(_ read: [Flight], _ data: FlightData) throws -> Int {
        let airTime = read.reduce(0) { $0 + ($1.airTime ?? 0) }
        guard airTime == data.flights.reduce(0, { $0 + ($1.airTime ?? 0) }) else {
            throw FlightDataError("The air times that were read and those that were written have different sums.")
        }
        try equal(
            read,
            data.flights.enumerated().lazy.map { index, flight in
                var numbered = flight
                numbered.id = index + 1
                return numbered
            })
        var checksum = Checksum()
        checksum.combine(read.count)
        checksum.combine(airTime)
        return checksum.value
    }

    private static func equal<Item: Entity & Equatable>(
        _ read: [Item], _ written: some Collection<Item>
    ) throws {
        guard read.count == written.count else {
            throw FlightDataError("\(read.count) of \(written.count) rows of \(Item.entityName) came back.")
        }
        for (read, written) in zip(read, written) where read != written {
            throw FlightDataError("\(Item.entityName): \(written) came back as \(read).")
        }
    }
}
