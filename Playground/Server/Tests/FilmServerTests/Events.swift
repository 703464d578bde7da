import Foundation
import ServingTesting

/// A client of server-sent events, one event after another.
struct Events {
    private var lines: ResponseLines

    init(_ url: URL) { lines = ResponseLines(url) }

    /// The data of the next event; `nil` when the server has ended the response.
    mutating func next() async throws -> String? {
        while let line = try await lines.next() {
            if line.hasPrefix("data: ") { return String(line.dropFirst("data: ".count)) }
        }
        return nil
    }

    /// Disconnects, as a browser does when its window is closed.
    func close() { lines.close() }
}
