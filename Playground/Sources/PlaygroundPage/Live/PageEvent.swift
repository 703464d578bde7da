#if Serve
    import Hummingbird
    import PlaygroundKit
    import SignalRepository

    /// One event of a page's stream: its name, and its value as JSON of one line.
    struct PageEvent: Equatable, Sendable {
        enum Name: String, Sendable {
            /// The name of the store; the first event of each stream.
            case store
            /// The changes of the table.
            case films
            /// How many films meet the search.
            case found
            case totals, studios, imports, statements, statistics
            /// One of the other values cannot be computed now.
            case failure
        }

        let name: Name
        let data: String

        init(_ name: Name, _ data: String) {
            (self.name, self.data) = (name, data)
        }

        init(_ name: Name, _ members: KeyValuePairs<String, String>) {
            self.init(name, JSONText.object(members.map { ($0.key, $0.value) }))
        }

        /// The event as it is sent.
        var bytes: ByteBuffer { ByteBuffer(string: "event: \(name.rawValue)\ndata: \(data)\n\n") }
    }

    extension JSONText {
        /// Writes an array of elements that are JSON already, on one line.
        static func line(_ elements: some Sequence<String>) -> String { "[" + elements.joined(separator: ", ") + "]" }
    }

    extension Film {
        /// The film as the page gets it.
        ///
        /// Amounts are texts, because a JavaScript number does not hold all their digits.
        var pageJSON: String {
            JSONText.object([
                ("id", JSONText.string(id)), ("title", JSONText.string(title)),
                ("releaseDate", JSONText.string(releaseDate.map(ReleaseDate.text))),
                ("boxOffice", JSONText.string(boxOffice.map(Amount.text))), ("studio", JSONText.string(studio)),
                ("genre", JSONText.string(genre)),
            ])
        }
    }
#endif
