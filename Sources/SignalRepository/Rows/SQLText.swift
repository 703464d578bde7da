/// A statement in SQL and the values of its parameters: the one place where SQL is put together.
///
/// Text comes from the program's own literals and from declared names, which are quoted; a value never becomes text.
package struct SQLText: Sendable, Equatable {
    /// The most bytes that a text or a blob can have.
    package static let mostBytes = 64 << 20

    package private(set) var text: String
    package private(set) var bindings: [SQLValue] = []
    /// The tables that are named, and not changed; none is known of raw SQL.
    package private(set) var tables: [String] = []
    /// The table that is changed.
    package private(set) var changedTable: String?
    /// Whether raw SQL is a part of it.
    package var isRaw = false

    package init(_ literal: StaticString) {
        text = literal.description
        // It is written piece by piece, and most statements are no longer.
        text.reserveCapacity(255)
    }

    /// Appends SQL that is a literal in the program.
    package mutating func append(_ literal: StaticString) {
        text += literal.description
    }

    /// Appends raw SQL.
    package mutating func append(raw text: String) {
        self.text += text
        isRaw = true
    }

    /// Appends another statement's text and values.
    package mutating func append(_ other: SQLText) {
        text += other.text
        bindings += other.bindings
        tables += other.tables
        if let table = other.changedTable { changedTable = table }
        if other.isRaw { isRaw = true }
    }

    /// Appends the name of a table or column, quoted.
    package mutating func append(name: String) {
        Identifier.append(name, to: &text)
    }

    /// Appends the name of a table that is read.
    package mutating func append(table: String) {
        append(name: table)
        tables.append(table)
    }

    /// Appends the name of the table that is changed.
    package mutating func append(changing table: String) {
        append(name: table)
        changedTable = table
    }

    /// Appends names, separated by commas.
    package mutating func append(names: [String]) {
        text += Identifier.list(names)
    }

    /// Appends what `Identifier` has quoted.
    package mutating func append(quoted: String) {
        text += quoted
    }

    /// Appends a parameter with its value.
    package mutating func bind(_ value: SQLValue) {
        text += "?"
        bindings.append(value)
    }

    /// Appends parameters with their values, separated by commas.
    package mutating func bind(list values: [SQLValue]) {
        for (index, value) in values.enumerated() {
            if index > 0 { append(", ") }
            bind(value)
        }
    }

    /// Adds the value of a parameter that is part of a literal.
    package mutating func append(value: SQLValue) {
        bindings.append(value)
    }

    /// Appends a number of parameters, separated by commas, whose values are bound row by row.
    package mutating func append(parameters count: Int) {
        text += Array(repeating: "?", count: count).joined(separator: ", ")
    }

    /// Appends a parameter by its number, counted from 1; its value is bound row by row.
    package mutating func append(parameter number: Int) {
        text += "?\(number)"
    }

    /// The text with its values written in it, as a declaration has them, where nothing can be bound.
    package func inlined(_ literal: (SQLValue) -> String) -> String {
        var (inlined, quote, next): ([UInt8], UInt8?, Int) = ([], nil, 0)
        for byte in text.utf8 {
            // What is quoted is text and names; a mark that is doubled ends one quote, and begins the next.
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

    /// Appends pieces separated by a literal.
    package mutating func append(_ pieces: [SQLText], separator: StaticString) {
        for (index, piece) in pieces.enumerated() {
            if index > 0 { append(separator) }
            append(piece)
        }
    }

    package static func == (left: SQLText, right: SQLText) -> Bool {
        ExactText(left.text) == ExactText(right.text) && left.bindings == right.bindings
    }
}
