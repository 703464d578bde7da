import Foundation
import SignalRepository

/// What a client sends to change some fields of a film: those that are there.
///
/// A `null` clears one that may be missing.
struct FilmPatch: Decodable {
    let assignments: [Assignment<Film>]

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Film.CodingKeys.self)
        var assignments: [Assignment<Film>] = []
        for field in fields.allKeys {
            switch field {
            case .id:
                throw DecodingError.dataCorruptedError(forKey: .id, in: fields, debugDescription: "The id stays.")
            case .title: assignments.append(.set(\.title, to: try fields.decode(String.self, forKey: field)))
            case .studio: assignments.append(.set(\.studio, to: try fields.decode(String?.self, forKey: field)))
            case .boxOffice: assignments.append(.set(\.boxOffice, to: try fields.decode(Decimal.self, forKey: field)))
            }
        }
        self.assignments = assignments
    }
}
