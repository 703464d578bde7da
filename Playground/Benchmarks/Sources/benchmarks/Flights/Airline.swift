import SignalRepository

/// One of the 16 airlines that fly from New York.
struct Airline: Entity, Equatable {
    let carrier: String
    var name: String
    var id: String { carrier }

    static let schema = Schema(
        Column("carrier", \Airline.carrier, .key), Column("name", \.name), make: Airline.init)
}

extension Airline: DataItem {
    static let file = "airlines.csv"

    init(_ fields: inout DataFields) throws {
        try self.init(carrier: fields.next(), name: fields.next())
    }
}
