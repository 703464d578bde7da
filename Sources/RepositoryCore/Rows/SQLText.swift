import Foundation

/// An SQL statement and the values of its parameters.
///
/// The library assembles all its SQL with this type.
///
/// It is written as a string literal: `"SELECT 1 FROM \(table: name) WHERE \(column) = \(bind: value)"`. Its text comes
/// from literals in the source, from the quoted names of tables and columns, and from raw SQL. A value becomes a
/// parameter and never text.
package struct SQLText: ExpressibleByStringInterpolation, StringInterpolationProtocol, Sendable {
    // Literals are `String`s, which cost nothing at run time. Parameters that accept only literals are `StaticString`s.
    package typealias StringLiteralType = String

    /// The maximum length of a text or a blob, in bytes.
    package static let maxBytes = 64 << 20
    /// The maximum number of values bound one by one, which keeps a statement within the engine's limit on parameters.
    package static let maxSingleValues = 32_000

    package private(set) var text: String
    package private(set) var bindings: [SQLValue] = []
    /// The parameters that get their values when the statement is executed; until then, their bindings are NULL.
    package private(set) var lateValues: [(index: Int, value: LateValue)] = []
    /// The tables interpolated with `table:`, which the statement reads; raw SQL adds none.
    package private(set) var tables: [String] = []
    package private(set) var changedTable: String?
    /// Whether the statement contains raw SQL.
    package private(set) var isRaw = false

    package init(stringLiteral literal: String) { text = literal }

    package init(stringInterpolation sql: SQLText) { self = sql }

    package init(literalCapacity: Int, interpolationCount: Int) {
        text = ""
        // Most statements fit in 255 bytes. A text with at most two interpolations is usually a term, whose short
        // string needs no allocation. A text without literal parts shares the memory of its first piece.
        if interpolationCount > 2, literalCapacity > 0 { text.reserveCapacity(255) }
    }

    package enum LateValue: Equatable, Sendable {
        /// The time of the transaction.
        case time
        /// One of the values for which the statement is executed, such as those of a key, by its index among them.
        case key(Int)
    }

    package static func late(_ value: LateValue) -> SQLText {
        var sql: SQLText = "\(bind: .null)"
        sql.lateValues = [(0, value)]
        return sql
    }

    package var usesTime: Bool { lateValues.contains { $0.value == .time } }

    /// Returns the statement with the time of its transaction bound.
    package func at(_ time: @autoclosure () -> Date) -> SQLText {
        guard usesTime else { return self }
        let value = SQLValue.real(time().timeIntervalSinceReferenceDate)
        return binding { $0 == .time ? value : nil }
    }

    /// Returns the statement with the values bound for which it is executed.
    package func of(_ values: [SQLValue]) -> SQLText {
        binding { if case .key(let index) = $0 { values[index] } else { nil } }
    }

    private func binding(_ known: (LateValue) -> SQLValue?) -> SQLText {
        var sql = self
        sql.lateValues = []
        for (index, value) in lateValues {
            if let known = known(value) { sql.bindings[index] = known } else { sql.lateValues.append((index, value)) }
        }
        return sql
    }

    package static func += (sql: inout SQLText, other: SQLText) { sql.appendInterpolation(other) }

    /// Adds values for the question marks that a literal contains.
    package mutating func append(values: [SQLValue]) { bindings += values }

    /// Returns the text with its values inlined, for a declaration, in which values cannot be bound.
    package func inlined(_ literal: (SQLValue) -> String) -> String {
        var (inlined, quote, next): ([UInt8], UInt8?, Int) = ([], nil, 0)
        for byte in text.utf8 {
            // A question mark in quotes is not a parameter. A doubled quotation mark closes a quote and opens the next.
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "?"), next < bindings.count {
                inlined += Array(literal(bindings[next]).utf8)
                next += 1
                continue
            }
            inlined.append(byte)
        }
        return String(decoding: inlined, as: UTF8.self)
    }
}

extension SQLText: Equatable {
    package static func == (left: SQLText, right: SQLText) -> Bool {
        ExactText(left.text) == ExactText(right.text) && left.bindings == right.bindings
            && left.lateValues.elementsEqual(right.lateValues) { $0 == $1 }
    }
}

// Interpolation.
extension SQLText {
    package mutating func appendLiteral(_ literal: String) { text += literal }

    /// Appends SQL from a literal elsewhere in the source.
    package mutating func appendInterpolation(literal: StaticString) { text += literal.description }

    package mutating func appendInterpolation(_ other: SQLText) {
        if text.isEmpty { text = other.text } else { text += other.text }
        if !other.lateValues.isEmpty { lateValues += other.lateValues.map { (bindings.count + $0.index, $0.value) } }
        // Assigning an array shares its memory, whereas appending copies it.
        if bindings.isEmpty { bindings = other.bindings } else { bindings += other.bindings }
        if tables.isEmpty { tables = other.tables } else { tables += other.tables }
        if let table = other.changedTable { changedTable = table }
        if other.isRaw { isRaw = true }
    }

    package mutating func appendInterpolation(_ pieces: [SQLText], separator: StaticString = ", ") {
        for (index, piece) in pieces.enumerated() {
            if index > 0 { appendInterpolation(literal: separator) }
            appendInterpolation(piece)
        }
    }

    package mutating func appendInterpolation(raw text: String) {
        self.text += text
        isRaw = true
    }

    /// Appends text that `Identifier` has quoted.
    package mutating func appendInterpolation(quoted: String) { text += quoted }

    /// Appends the name of a table or column, quoted.
    package mutating func appendInterpolation(name: String) { Identifier.append(name, to: &text) }

    package mutating func appendInterpolation(names: [String]) { text += Identifier.list(names) }

    /// Appends the name of a table that is read.
    package mutating func appendInterpolation(table: String) {
        appendInterpolation(name: table)
        tables.append(table)
    }

    package mutating func appendInterpolation(changing table: String) {
        appendInterpolation(name: table)
        changedTable = table
    }

    package mutating func appendInterpolation(bind value: SQLValue) {
        appendLiteral("?")
        bindings.append(value)
    }

    package mutating func appendInterpolation(list values: [SQLValue]) {
        for index in values.indices { appendLiteral(index > 0 ? ", ?" : "?") }
        bindings += values
    }

    package mutating func appendInterpolation(rows: [[SQLValue]]) {
        for (index, row) in rows.enumerated() {
            appendLiteral(index > 0 ? ", (" : "(")
            appendInterpolation(list: row)
            appendLiteral(")")
        }
    }

    /// Appends a parameter by its number, counted from 1.
    ///
    /// Its value is bound later, row by row.
    package mutating func appendInterpolation(parameter number: Int) { text += "?\(number)" }
}
