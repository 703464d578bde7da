import Foundation
import Hummingbird

/// The body of a request that creates or replaces a film.
struct FilmDraft: Decodable {
    private let id: String?
    private let title: String
    private let studio: String?
    private let boxOffice: Decimal

    init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(["id", "title", "studio", "boxOffice"])
        id = try fields.decodeIfPresent(String.self, forKey: "id")
        title = try fields.decode(String.self, forKey: "title")
        studio = try fields.decodeIfPresent(String.self, forKey: "studio")
        boxOffice = try fields.decode(Decimal.self, forKey: "boxOffice")
    }

    func film(_ id: UUID) throws -> Film {
        // A client that read a film may send all of it back.
        if let sent = self.id, UUID(uuidString: sent) != id {
            throw HTTPError(.badRequest, message: "id cannot be set.")
        }
        return try Film(id: id, title: title, studio: studio, boxOffice: boxOffice).checked()
    }
}
