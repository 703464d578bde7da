/// A statement in SQL and the values of its parameters: the one place where SQL is put together.
///
/// Text comes from the program's own literals and from declared names, which are quoted; a value never becomes text.
struct SQLText: Sendable, Equatable {
    /// The most bytes that a text or a blob can have.
    static let mostBytes = 64 << 20

    private(set) var text: String
    private(set) var bindings: [SQLValue] = []

    init(_ literal: StaticString) {
        text = literal.description
    }

    /// Appends SQL that is a literal in the program.
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
        text += Identifier.quoted(name)
    }

    /// Appends names, separated by commas.
    mutating func append(names: [String]) {
        text += Identifier.list(names)
    }

    /// Appends what `Identifier` has quoted.
    mutating func append(quoted: String) {
        text += quoted
    }

    /// Appends a parameter with its value.
    mutating func bind(_ value: SQLValue) {
        text += "?"
        bindings.append(value)
    }

    /// Adds the value of a parameter that is part of a literal.
    mutating func append(value: SQLValue) {
        bindings.append(value)
    }

    /// Appends a number of parameters, separated by commas, whose values are bound row by row.
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

    static func == (left: SQLText, right: SQLText) -> Bool {
        ExactText(left.text) == ExactText(right.text) && left.bindings == right.bindings
    }
}
