/// What an engine reported about a failure: its code, its message, and the statement.
///
/// The statement is the text with its placeholders. Bound values never appear in it, so that an error can be logged. A
/// message or statement is cut to its first 1,000 bytes.
public struct Diagnosis: Sendable, Hashable, CustomStringConvertible {
    /// The name of the engine, such as `SQLite`.
    public let engine: String
    /// The engine's code, as its documentation has it: for SQLite the extended result code, a number.
    public let code: String
    /// The engine's message.
    public let message: String
    /// The text of the statement without its values, when there was one.
    public let sql: String?
    /// Whether a change was refused because other items refer to what it would remove.
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
    /// The error of a table that is missing: most often an entity that was forgotten when the store was opened.
    package static func missing(table: String, _ diagnosis: Diagnosis) -> RepositoryError {
        .misuse(
            detail: "the store has no table \(table): add the entity where the store is opened, as in "
                + "entities: …, \(table).self (\(diagnosis))")
    }
}

extension String {
    /// The text as it appears in an error: whole, or its first 1,000 bytes and its length.
    var excerpt: String {
        let most = 1_000
        guard utf8.count > most else { return self }
        var end = utf8.index(startIndex, offsetBy: most)
        // Not in the middle of a character.
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return "\(self[..<end])… (\(utf8.count) bytes)"
    }
}
