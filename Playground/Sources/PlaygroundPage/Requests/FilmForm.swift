#if Serve
    import Foundation
    import Hummingbird
    import PlaygroundKit
    import SignalRepository

    /// What the page sends of a film: the properties that it names are set, and `null` or an empty text clears one.
    struct FilmForm: Decodable {
        /// The film that is meant; nil for a new one.
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

        /// The id, which has to be there.
        var knownID: String {
            get throws(HTTPError) {
                guard let id else { throw HTTPError(.badRequest, message: "The id of the film is missing.") }
                return id
            }
        }

        /// Makes the film that is meant, of what was there before and what is given, by the rules of an import.
        func film(changing film: Film? = nil) throws(HTTPError) -> Film {
            do throws(RowRejection) {
                var fields = FilmFields()
                for name in FilmFields.Name.allCases {
                    let text = if let given = given[name] { given } else { film?.text(name) }
                    if let text { try fields.set(name, .text(text)) }
                }
                return try Film(fields)
            } catch {
                throw HTTPError(.unprocessableContent, message: "This is no film: \(error.reason).")
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
