#if Serve
    import Foundation
    import ServingTesting

    /// The stream of a tab without a browser: its events, one after another.
    struct TabStream {
        /// One event; its data is JSON.
        struct Event {
            let name: String
            let data: String

            var value: Any? { try? JSONSerialization.jsonObject(with: Data(data.utf8), options: .fragmentsAllowed) }
            var object: [String: Any] { value as? [String: Any] ?? [:] }
            var objects: [[String: Any]] { value as? [[String: Any]] ?? [] }
        }

        private var lines: ResponseLines

        init(_ url: URL) { lines = ResponseLines(url) }

        /// The next event; nil when the server has ended the stream.
        mutating func next() async throws -> Event? {
            var name = ""
            while let line = try await lines.next() {
                if line.hasPrefix("event: ") { name = String(line.dropFirst("event: ".count)) }
                if line.hasPrefix("data: ") { return Event(name: name, data: String(line.dropFirst("data: ".count))) }
            }
            return nil
        }

        /// The next event of a name that meets a condition; others are skipped.
        mutating func next(_ name: String, where condition: (Event) -> Bool = { _ in true }) async throws -> Event? {
            while let event = try await next() {
                if event.name == name && condition(event) { return event }
            }
            return nil
        }

        /// The next event of each name; events of different queries arrive in any order.
        mutating func next(_ names: Set<String>) async throws -> [String: Event] {
            var found: [String: Event] = [:]
            while !names.isSubset(of: found.keys), let event = try await next() { found[event.name] = event }
            return found
        }

        /// Disconnects, as a browser does when its tab is closed.
        func close() { lines.close() }
    }
#endif
