@testable import RepositoryCore

/// Spells queries in a dialect.
struct Spelling {
    let dialect: any Dialect

    /// The text, with each value in the place of its parameter.
    func text(_ sql: SQLText) -> String {
        let parts = sql.text.split(separator: "?", omittingEmptySubsequences: false)
        guard parts.count == sql.bindings.count + 1 else { return sql.text }
        return zip(parts, sql.bindings.map(Self.literal) + [""]).map { $0 + $1 }.joined()
    }

    private static func literal(_ value: SQLValue) -> String {
        switch value {
        case .null: return "NULL"
        case .integer(let number): return "\(number)"
        case .real(let number): return "\(number)"
        case .text(let text): return "'\(text)'"
        case .blob(let bytes) where bytes.contains(0):
            // The numbers of an array, after its header.
            let numbers = stride(from: 20, to: bytes.count, by: 12).map { bytes[$0 + 11] }
            return "'{\(numbers.map(String.init).joined(separator: ","))}'"
        case .blob(let bytes): return "x'\(String(decoding: bytes, as: UTF8.self))'"
        }
    }

    func text<Item: Fetchable>(_ query: FetchQuery<Item>) throws -> String { text(try dialect.select(query)) }

    func text<Output>(_ query: SelectQuery<Output>) throws -> String { text(try query.rows.sql.text(in: dialect)) }
}
