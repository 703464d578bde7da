import SignalRepository

/// One of the airports of the United States.
struct Airport: Entity, Equatable {
    /// The rule by which a place changes its clocks.
    enum DaylightSaving: String, ColumnValue { case american = "A", never = "N", unknown = "U" }

    let faa: String
    var name: String
    var latitude: Double
    var longitude: Double
    /// In feet.
    var altitude: Int
    /// The offset from UTC in winter, in hours.
    var utcOffset: Int
    var daylightSaving: DaylightSaving
    var timeZone: String?
    var id: String { faa }

    static let schema = Schema<Airport>(search: [\.name]) {
        Column("faa", \.faa, .key)
        Column("name", \.name)
        Column("lat", \.latitude)
        Column("lon", \.longitude)
        Column("alt", \.altitude)
        Column("tz", \.utcOffset)
        Column("dst", \.daylightSaving)
        Column("tzone", \.timeZone)
    } decode: { row in
        try Airport(
            faa: row.next(), name: row.next(), latitude: row.next(), longitude: row.next(), altitude: row.next(),
            utcOffset: row.next(), daylightSaving: row.next(), timeZone: row.next())
    }
}

extension Airport: DataItem {
    static let file = "airports.csv"

    init(_ fields: inout DataFields) throws {
        try self.init(
            faa: fields.next(), name: fields.next(), latitude: fields.next(), longitude: fields.next(),
            altitude: fields.next(), utcOffset: fields.next(), daylightSaving: fields.next(),
            timeZone: fields.nextIfPresent())
    }
}
