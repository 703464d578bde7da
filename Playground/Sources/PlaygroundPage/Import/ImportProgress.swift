#if Serve
    import PlaygroundKit

    /// The progress of the current import, or of the last one.
    struct ImportProgress: Equatable, Sendable {
        enum State: String, Sendable {
            /// There was no import yet.
            case none
            case running, done, stopped, failed
        }

        var state = State.none
        var name = ""
        var counts = ImportCounts()
        /// The part of the input that was read, from 0 to 1.
        var fraction = 0.0
        /// The first rejected rows, in words.
        var rejects: [String] = []
        var failure: String?

        static let shownRejects = 5

        /// The progress as the page gets it.
        var json: String {
            JSONText.object([
                ("state", JSONText.string(state.rawValue)), ("name", JSONText.string(name)),
                ("summary", JSONText.string(counts.summary)), ("rows", String(counts.rows)),
                ("percent", String(Int(fraction * 100))),
                ("rejects", JSONText.line(rejects.map { JSONText.string($0) })), ("failure", JSONText.string(failure)),
            ])
        }
    }
#endif
