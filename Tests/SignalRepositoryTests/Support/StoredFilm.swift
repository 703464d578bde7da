import Foundation
import SignalRepository

/// One item of `Documentation/Storage.md`: a column of each kind.
struct StoredFilm: Entity {
    enum Genre: String, ColumnValue { case drama, comedy }
    struct Poster: Codable, Equatable { var width: Int, colors: [String] }

    let id: UUID
    var title: String
    var released: Date
    var boxOffice: Decimal
    var admission: Decimal?
    var rating: Double
    var isColor: Bool
    var genre: Genre
    var site: URL?
    var poster: Poster
    var frame: Data

    static let entityName = "Film"
    static let schema = Schema<StoredFilm> {
        Column("id", \.id)
        Column("title", \.title)
        Column("released", \.released)
        Column("boxOffice", \.boxOffice)
        Column("admission", \.admission, .scale(2))
        Column("rating", \.rating)
        Column("isColor", \.isColor)
        Column("genre", \.genre)
        Column("site", \.site)
        Column("poster", json: \.poster)
        Column("frame", \.frame)
    } decode: { row in
        try StoredFilm(
            id: row.next(), title: row.next(), released: row.next(), boxOffice: row.next(), admission: row.next(),
            rating: row.next(), isColor: row.next(), genre: row.next(), site: row.next(), poster: row.next(),
            frame: row.next())
    }

    static var fargo: StoredFilm {
        StoredFilm(
            id: UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF") ?? UUID(), title: "Fargo",
            released: Date(timeIntervalSince1970: 826_243_200), boxOffice: 60_611_975,
            admission: Decimal(sign: .plus, exponent: -2, significand: 950), rating: 8.1, isColor: true, genre: .drama,
            site: nil, poster: Poster(width: 600, colors: ["white", "red"]), frame: Data([1, 0xFF, 0]))
    }
}
