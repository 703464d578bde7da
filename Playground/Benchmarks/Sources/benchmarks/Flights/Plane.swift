import SignalRepository

/// A plane that the aviation authority has registered.
struct Plane: Entity, Equatable {
    let tailNumber: String
    var year: Int?
    var type: String
    var manufacturer: String
    var model: String
    var engines: Int
    var seats: Int
    /// In miles per hour.
    var speed: Int?
    var engine: String
    var id: String { tailNumber }

    static let schema = Schema<Plane> {
        Column("tailnum", \.tailNumber, .key)
        Column("year", \.year)
        Column("type", \.type)
        Column("manufacturer", \.manufacturer)
        Column("model", \.model)
        Column("engines", \.engines)
        Column("seats", \.seats)
        Column("speed", \.speed)
        Column("engine", \.engine)
    } decode: { row in
        try Plane(
            tailNumber: row.next(), year: row.next(), type: row.next(), manufacturer: row.next(), model: row.next(),
            engines: row.next(), seats: row.next(), speed: row.next(), engine: row.next())
    }
}

extension Plane: DataItem {
    static let file = "planes.csv"

    init(_ fields: inout DataFields) throws {
        try self.init(
            tailNumber: fields.next(), year: fields.nextIfPresent(), type: fields.next(), manufacturer: fields.next(),
            model: fields.next(), engines: fields.next(), seats: fields.next(), speed: fields.nextIfPresent(),
            engine: fields.next())
    }
}
