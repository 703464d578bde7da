import ArgumentParser

/// The three formats of a list of films that can be read.
package enum InputFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
    case csv
    case json
    case ndjson

    /// Makes the format from a file's extension; nil if the extension is not known.
    package init?(path: String) {
        guard let dot = path.lastIndex(of: ".") else { return nil }
        switch path[path.index(after: dot)...].lowercased() {
        case "csv": self = .csv
        case "json": self = .json
        case "ndjson", "jsonl": self = .ndjson
        default: return nil
        }
    }
}
