import Foundation
import SignalRepository

/// The entity of most tests: five columns, one of them optional and one indexed.
struct Film: Entity, Equatable {
    let id: UUID
    var title: String
    var releaseDate: Date
    var boxOffice: Decimal
    var studio: String?

    static let schema = Schema(
        Column("id", \Film.id), Column("title", \.title), Column("releaseDate", \.releaseDate),
        Column("boxOffice", \.boxOffice), Column("studio", \.studio, .indexed), make: Film.init)

    static func numbered(_ number: Int, boxOffice: Decimal? = nil, studio: String? = nil) -> Film {
        Film(
            id: UUID(
                uuid: (
                    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number >> 16), UInt8(number >> 8 & 255),
                    UInt8(number & 255)
                )),
            title: "Film \(number)", releaseDate: Date(timeIntervalSinceReferenceDate: Double(number) * 0.1),
            boxOffice: boxOffice ?? Decimal(number), studio: studio)
    }
}
