/// What SQLite reported about a failure: its code, its message, and the statement.
///
/// The statement is the text with its placeholders. Bound values never appear in it, so that an error can be logged. A
/// message or statement is cut to its first 1,000 bytes.
public struct SQLiteDiagnosis: Sendable, Hashable, CustomStringConvertible {
    /// The extended result code.
    public let code: ResultCode
    /// SQLite's message.
    public let message: String
    /// The text of the statement without its values, when there was one.
    public let sql: String?

    /// Makes a diagnosis from its parts.
    public init(code: ResultCode, message: String, sql: String? = nil) {
        self.code = code
        self.message = message.excerpt
        self.sql = sql?.excerpt
    }

    /// The message, the code and the statement in one line.
    public var description: String {
        let place = sql.map { " in: \($0)" } ?? ""
        return "SQLite \(code.rawValue): \(message)\(place)"
    }
}
