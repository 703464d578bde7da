/// A statement in SQL and the values of its parameters: the one place where SQL is put together.
///
/// Text comes from the program's own literals and from declared names, which are quoted; a value never becomes text.
struct SQLText: Sendable, Hashable {
    private(set) var text: String
    private(set) var bindings: [SQLValue] = []

    init(_ literal: StaticString) {
        text = literal.description
    }

    /// Appends SQL that stands in the program.
    mutating func append(_ literal: StaticString) {
        text += literal.description
    }

    /// Appends another statement's text and values.
    mutating func append(_ other: SQLText) {
        text += other.text
        bindings += other.bindings
    }

    /// Appends the name of a table or column, quoted.
    mutating func append(name: String) {
        text += SQLText.quoted(name)
    }

    /// Appends names, separated by commas.
    mutating func append(names: [String]) {
        text += names.map(SQLText.quoted).joined(separator: ", ")
    }

    /// Appends a parameter with its value.
    mutating func bind(_ value: SQLValue) {
        text += "?"
        bindings.append(value)
    }

    /// Adds the value of a parameter that stands in a literal.
    mutating func append(value: SQLValue) {
        bindings.append(value)
    }

    /// Appends so many parameters, separated by commas, whose values are bound row by row.
    mutating func append(parameters count: Int) {
        text += Array(repeating: "?", count: count).joined(separator: ", ")
    }

    /// Appends a parameter by its number, counted from 1; its value is bound row by row.
    mutating func append(parameter number: Int) {
        text += "?\(number)"
    }

    /// Appends pieces separated by a literal.
    mutating func append(_ pieces: [SQLText], separator: StaticString) {
        for (index, piece) in pieces.enumerated() {
            if index > 0 { append(separator) }
            append(piece)
        }
    }

    static func quoted(_ name: String) -> String {
        var quoted = "\""
        for scalar in name.unicodeScalars {
            if scalar == "\"" { quoted.append("\"") }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}

extension SQLText {
    /// A statement of the program's own with the values of its parameters.
    init(_ literal: StaticString, _ values: [any ColumnValue]) throws(RepositoryError) {
        self.init(literal)
        for value in values { append(value: try SQLText.stored(value, in: literal, of: "statement")) }
    }

    /// A value that is given to a raw fragment; there is no column to say how a `Decimal` is scaled, so it has 4
    /// places.
    static func stored(
        _ value: any ColumnValue, in literal: StaticString, of entity: String
    ) throws(RepositoryError) -> SQLValue {
        do {
            return try value.sqlValue(scale: 4)
        } catch {
            throw .encoding(error, entity: entity, column: literal.description)
        }
    }
}
