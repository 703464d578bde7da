import Foundation
import SignalRepository

/// The weather at an airport in an hour.
struct Weather: Entity, Equatable {
    let origin: String
    var year: Int
    var month: Int
    var day: Int
    var hour: Int
    /// In degrees Fahrenheit, like the dew point.
    var temperature: Double?
    var dewPoint: Double?
    var humidity: Double?
    var windDirection: Int?
    /// In miles per hour, like the gusts.
    var windSpeed: Double?
    var windGust: Double?
    var precipitation: Double
    var pressure: Double?
    var visibility: Double
    let time: Date
    var id: CompositeKey<String, Date> { CompositeKey(origin, time) }

    static let schema = Schema<Weather>(key: [\.origin, \.time]) {
        Column("origin", \.origin, .references(Airport.self))
        Column("year", \.year)
        Column("month", \.month)
        Column("day", \.day)
        Column("hour", \.hour)
        Column("temp", \.temperature)
        Column("dewp", \.dewPoint)
        Column("humid", \.humidity)
        Column("wind_dir", \.windDirection)
        Column("wind_speed", \.windSpeed)
        Column("wind_gust", \.windGust)
        Column("precip", \.precipitation)
        Column("pressure", \.pressure)
        Column("visib", \.visibility)
        Column("time_hour", \.time)
    } decode: { row in
        try Weather(
            origin: row.next(), year: row.next(), month: row.next(), day: row.next(), hour: row.next(),
            temperature: row.next(), dewPoint: row.next(), humidity: row.next(), windDirection: row.next(),
            windSpeed: row.next(), windGust: row.next(), precipitation: row.next(), pressure: row.next(),
            visibility: row.next(), time: row.next())
    }
}

extension Weather: DataItem {
    static let file = "weather.csv"

    init(_ fields: inout DataFields) throws {
        try self.init(
            origin: fields.next(), year: fields.next(), month: fields.next(), day: fields.next(), hour: fields.next(),
            temperature: fields.nextIfPresent(), dewPoint: fields.nextIfPresent(), humidity: fields.nextIfPresent(),
            windDirection: fields.nextIfPresent(), windSpeed: fields.nextIfPresent(), windGust: fields.nextIfPresent(),
            precipitation: fields.next(), pressure: fields.nextIfPresent(), visibility: fields.next(),
            time: fields.next())
    }
}
