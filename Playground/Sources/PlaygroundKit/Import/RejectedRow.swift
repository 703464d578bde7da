/// A row that is not a film: its line, the reason, and the text to write so that it can be corrected.
package struct RejectedRow: Sendable {
    /// The key of the member that is added to a rejected row in a file; `import` ignores the member.
    static let key = "rejected"

    let record: SourceRecord
    let reason: String

    /// The line that a person sees.
    package var description: String { "line \(record.line): \(Escaping.visible(reason))" }

    /// One line of NDJSON: the row's line number and the reason first, then the row's fields as they were.
    var json: String {
        let reason = JSONText.object([("line", String(record.line)), ("reason", JSONText.string(reason))])
        return JSONText.object([(Self.key, reason)] + original)
    }

    private var original: [(String, String)] {
        switch record.content {
        case .json(let bytes):
            guard let members = try? JSONMembers(bytes) else { return [("value", Self.oneLine(bytes[...]))] }
            return members.filter { $0.key != Self.key }.map { ($0.key, Self.oneLine($0.raw)) }
        case .row(let header, let fields) where fields.count == header.names.count:
            return zip(header.names, fields).map { ($0, JSONText.string($1)) }
        case .row(let header, let fields):
            let named = zip(header.names, fields).map { ($0, JSONText.string($1)) }
            let surplus = fields.dropFirst(header.names.count).map { JSONText.string($0) }
            return named + (surplus.isEmpty ? [] : [("surplus", "[" + surplus.joined(separator: ", ") + "]")])
        case .unreadable(let text, _):
            return [("row", JSONText.string(text))]
        }
    }

    /// Replaces the line breaks in a JSON value with spaces; JSON strings contain no unescaped ones.
    private static func oneLine(_ raw: ArraySlice<UInt8>) -> String {
        String(decoding: raw.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }, as: UTF8.self)
    }
}
