#if Serve
    import Hummingbird
    import PlaygroundKit
    import SignalRepository

    /// The films that one tab shows: their condition, their order and their number.
    struct FilmView: Equatable, Sendable {
        enum Order: String, CaseIterable, Sendable {
            case title, releaseDate, boxOffice, studio
        }

        /// The words that the title must contain; the case of ASCII letters makes no difference.
        var words: [String] = []
        var order = Order.title
        var isDescending = false
        var rows = 100

        static let mostRows = 2_000
        private static let (maxWords, longestSearch) = (16, 200)

        init() {}

        /// Reads the query of a request; a parameter that it omits keeps its default.
        init(_ request: Request) throws(HTTPError) {
            let query = request.uri.queryParameters
            if let search = query["search"] {
                words = search.split(whereSeparator: \.isWhitespace).map(String.init)
                guard search.utf8.count <= Self.longestSearch, words.count <= Self.maxWords else {
                    let sentence = "search has at most \(Self.maxWords) words and \(Self.longestSearch) bytes."
                    throw HTTPError(.badRequest, message: sentence)
                }
            }
            if let text = query["order"] {
                guard let order = Order(rawValue: String(text)) else {
                    let names = Order.allCases.map(\.rawValue).joined(separator: ", ")
                    throw HTTPError(.badRequest, message: "order is one of \(names).")
                }
                self.order = order
            }
            if let text = query["descending"] {
                guard let isDescending = Bool(String(text)) else {
                    throw HTTPError(.badRequest, message: "descending is true or false.")
                }
                self.isDescending = isDescending
            }
            if let text = query["rows"] {
                guard let rows = Int(text), (1...Self.mostRows).contains(rows) else {
                    throw HTTPError(.badRequest, message: "rows is a number from 1 to \(Self.mostRows).")
                }
                self.rows = rows
            }
        }

        /// The condition that the title contains every word; without words, every film meets it.
        var condition: Condition<Film> {
            Condition { film in .all(of: words.map { film.title.contains($0) }) }
        }

        /// The query for the shown films, in their order.
        var query: FetchQuery<Film> {
            let films = Film.where { _ in condition }
            let direction: Ordering<Film>.Direction = isDescending ? .descending : .ascending
            let sorted =
                switch order {
                case .title: films.sorted(by: \.title, direction)
                case .releaseDate: films.sorted(by: \.releaseDate, direction)
                case .boxOffice: films.sorted(by: \.boxOffice, direction)
                case .studio: films.sorted(by: \.studio, direction)
                }
            return sorted.limit(rows)
        }
    }
#endif
