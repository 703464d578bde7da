import Foundation
import SignalRepository

/// The entity of most tests: five columns, one of them optional and indexed.
struct Film: Entity, Equatable {
    let id: UUID
    var title: String
    var releaseDate: Date
    var boxOffice: Decimal
    var studio: String?

    static let schema = Schema(
        Column("id", \Film.id), Column("title", \.title), Column("releaseDate", \.releaseDate),
        Column("boxOffice", \.boxOffice), Column("studio", \.studio, .indexed), make: Film.init)

    /// A film that is identified by a number.
    static func numbered(
        _ number: Int, title: String? = nil, boxOffice: Decimal? = nil, studio: String? = nil
    ) -> Film {
        Film(
            id: id(number), title: title ?? "Film \(number)",
            releaseDate: Date(timeIntervalSinceReferenceDate: Double(number) * 0.1),
            boxOffice: boxOffice ?? Decimal(number), studio: studio)
    }

    static func id(_ number: Int) -> UUID {
        let (high, middle, low) = (UInt8(number >> 16 & 255), UInt8(number >> 8 & 255), UInt8(number & 255))
        return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, high, middle, low))
    }
}
