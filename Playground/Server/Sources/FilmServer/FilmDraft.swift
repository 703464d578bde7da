import Foundation

/// What a client sends to make a film, or to replace one: all of it but the id.
struct FilmDraft: Decodable {
    let title: String
    let studio: String?
    let boxOffice: Decimal

    func film(_ id: UUID) -> Film {
        Film(id: id, title: title, studio: studio, boxOffice: boxOffice)
    }
}
