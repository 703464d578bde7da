import Foundation
import SignalRepository

/// A flight from New York in 2013.
///
/// The data has no key for flights, so the store numbers them.
///
/// `tailNumber` and `destination` are not foreign keys, because some of their planes and airports are in no other file.
struct Flight: Entity, Equatable {
    var id = 0
    var year: Int
    var month: Int
    var day: Int
    /// The local time as a number: 517 is 5:17; `nil` if the flight was cancelled.
    var departure: Int?
    var scheduledDeparture: Int
    /// In minutes, like `arrivalDelay`.
    var departureDelay: Int?
    var arrival: Int?
    var scheduledArrival: Int
    var arrivalDelay: Int?
    var carrier: String
    var number: Int
    var tailNumber: String?
    var origin: String
    var destination: String
    /// In minutes.
    var airTime: Int?
    /// In miles.
    var distance: Int
    var hour: Int
    var minute: Int
    var time: Date

    static let schema = Schema<Flight> {
        Column("id", \.id, .generated)
        Column("year", \.year)
        Column("month", \.month)
        Column("day", \.day)
        Column("dep_time", \.departure)
        Column("sched_dep_time", \.scheduledDeparture)
        Column("dep_delay", \.departureDelay)
        Column("arr_time", \.arrival)
        Column("sched_arr_time", \.scheduledArrival)
        Column("arr_delay", \.arrivalDelay)
        Column("carrier", \.carrier, .references(Airline.self))
        Column("flight", \.number)
        Column("tailnum", \.tailNumber)
        Column("origin", \.origin, .references(Airport.self))
        Column("dest", \.destination)
        Column("air_time", \.airTime)
        Column("distance", \.distance)
        Column("hour", \.hour)
        Column("minute", \.minute)
        Column("time_hour", \.time)
    } decode: { row in
        try Flight(
            id: row.next(), year: row.next(), month: row.next(), day: row.next(), departure: row.next(),
            scheduledDeparture: row.next(), departureDelay: row.next(), arrival: row.next(),
            scheduledArrival: row.next(), arrivalDelay: row.next(), carrier: row.next(), number: row.next(),
            tailNumber: row.next(), origin: row.next(), destination: row.next(), airTime: row.next(),
            distance: row.next(), hour: row.next(), minute: row.next(), time: row.next())
    }
}

extension Flight: DataItem {
    static let file = "flights.csv"

    init(_ fields: inout DataFields) throws {
        try self.init(
            year: fields.next(), month: fields.next(), day: fields.next(), departure: fields.nextIfPresent(),
            scheduledDeparture: fields.next(), departureDelay: fields.nextIfPresent(),
            arrival: fields.nextIfPresent(), scheduledArrival: fields.next(), arrivalDelay: fields.nextIfPresent(),
            carrier: fields.next(), number: fields.next(), tailNumber: fields.nextIfPresent(), origin: fields.next(),
            destination: fields.next(), airTime: fields.nextIfPresent(), distance: fields.next(), hour: fields.next(),
            minute: fields.next(), time: fields.next())
    }
}
