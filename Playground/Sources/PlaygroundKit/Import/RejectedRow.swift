/// A row that is no film: where it stands, why, and what to write so that it can be mended.
package struct RejectedRow: Sendable {
    /// The member that a written reject has besides its own; `import` passes over it.
    static let key = "rejected"

    let record: SourceRecord
    let reason: String

    /// What is shown to a person.
    package var description: String { "line \(record.line): \(Escaping.visible(reason))" }

    /// One line of NDJSON: the reason and line first, then the row's own fields as they were.
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

    /// Takes the line breaks out of a JSON value; inside its texts there are none.
    private static func oneLine(_ raw: ArraySlice<UInt8>) -> String {
        String(decoding: raw.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }, as: UTF8.self)
    }
}
