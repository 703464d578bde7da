#if Serve
    import Foundation
    import Hummingbird
    import PlaygroundKit
    import SignalRepository

    /// The properties of a film that the page sends: each is set, and `null` or an empty text clears it.
    struct FilmForm: Decodable {
        /// The id of the film to change or delete; nil for a new one.
        let id: String?
        private let given: [FilmFields.Name: String?]

        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            var (id, given): (String?, [FilmFields.Name: String?]) = (nil, [:])
            for key in container.allKeys {
                if key.stringValue == "id" {
                    id = try container.decode(String.self, forKey: key)
                } else if let name = FilmFields.Name(rawValue: key.stringValue) {
                    given[name] = .some(try container.decode(String?.self, forKey: key))
                } else {
                    let names = FilmFields.Name.allCases.map(\.rawValue).joined(separator: ", ")
                    throw DecodingError.dataCorrupted(
                        .init(
                            codingPath: container.codingPath,
                            debugDescription: "\(key.stringValue.prefix(40)) is not one of id, \(names)."))
                }
            }
            (self.id, self.given) = (id, given)
        }

        /// The id, which must be present.
        var knownID: String {
            get throws(HTTPError) {
                guard let id else { throw HTTPError(.badRequest, message: "The id of the film is missing.") }
                return id
            }
        }

        /// Makes the film from the given properties and, for the others, its previous ones, by the rules of an import.
        func film(changing film: Film? = nil) throws(HTTPError) -> Film {
            do throws(RowRejection) {
                var fields = FilmFields()
                for name in FilmFields.Name.allCases {
                    let text = if let given = given[name] { given } else { film?.text(name) }
                    if let text { try fields.set(name, .text(text)) }
                }
                return try Film(fields)
            } catch {
                throw HTTPError(.unprocessableContent, message: "This is not a film: \(error.reason).")
            }
        }
    }

    extension Film {
        fileprivate func text(_ name: FilmFields.Name) -> String? {
            switch name {
            case .title: title
            case .releaseDate: releaseDate.map(ReleaseDate.text)
            case .boxOffice: boxOffice.map(Amount.text)
            case .studio: studio
            case .genre: genre
            }
        }
    }
#endif
