/// An engine's report of a failure: the code, the message, and the statement.
///
/// The statement's text contains placeholders and never bound values, so an error can be logged. Of a long message or
/// statement, only the first 1,000 bytes are kept.
public struct Diagnosis: Sendable, Hashable, CustomStringConvertible {
    /// The name of the engine, such as `SQLite`.
    public let engine: String
    /// The engine's code: the extended result code of SQLite, or the SQLSTATE of a server.
    public let code: String
    /// The engine's message.
    public let message: String
    /// The text of the statement without its values; `nil` if the failure did not come from a statement.
    public let sql: String?
    /// Whether the engine rejected a change because other items still refer to the item that would be removed.
    let isRestriction: Bool

    /// Makes a diagnosis from its parts.
    public init(engine: String, code: String, message: String, sql: String? = nil) {
        self.init(engine: engine, code: code, message: message, sql: sql, isRestriction: false)
    }

    package init(engine: String, code: String, message: String, sql: String?, isRestriction: Bool) {
        (self.engine, self.code, self.isRestriction) = (engine, code, isRestriction)
        self.message = message.excerpt
        self.sql = sql?.excerpt
    }

    /// The message, the code and the statement in one line.
    public var description: String { "\(engine) \(code): \(message)" + (sql.map { " in: \($0)" } ?? "") }
}

extension RepositoryError {
    /// Returns the error for a missing table, which usually belongs to an entity that `entities:` did not list.
    package static func missing(table: String, _ diagnosis: Diagnosis) -> RepositoryError {
        .misuse(
            detail: "the store has no table \(table): add the entity where the store is opened, as in "
                + "entities: …, \(table).self (\(diagnosis))")
    }
}

extension String {
    /// The text as it appears in an error: whole, or its first 1,000 bytes and its length.
    package var excerpt: String {
        let most = 1_000
        guard utf8.count > most else { return self }
        var end = utf8.index(startIndex, offsetBy: most)
        // The text must not be cut in the middle of a Unicode scalar.
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return "\(self[..<end])… (\(utf8.count) bytes)"
    }
}
