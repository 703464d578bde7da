/// Raw SQL with bound values, accepted by every API that takes SQL.
///
/// A string literal is SQL. An interpolated value or name is never read as SQL, whatever it contains: the value becomes
/// a parameter, and the name is quoted.
///
/// ```swift
/// let studio = "Gramercy'; DROP TABLE Movie; --"
/// let condition: SQL = "\(\Movie.studio) = \(studio)"
/// let titles = try await repository.rows(
///     "SELECT \(\Movie.title), \(\Movie.boxOffice) FROM \(Movie.self) WHERE \(condition)", as: Movie.self
/// ).value()
/// print(condition)  // "studio" = ?
/// ```
///
/// | Interpolated | Becomes |
/// |---|---|
/// | `\(value)` | a parameter with the value, or NULL for `nil` |
/// | `\(values: [1, 2])` | a list of parameters in parentheses, for `IN` |
/// | `\(Movie.self)` | the quoted name of the table |
/// | `\(\Movie.title)` | the quoted name of the column |
/// | `\(identifier: name)` | any name, quoted |
/// | `\(condition)` | other SQL, with its values |
/// | `\(unsafe: text)` | the text as it is: never use it for text from outside the program |
///
/// Instead of interpolated values, a literal may have question marks; their values are passed after the literal. A
/// literal cannot have both.
///
/// - Failure: The endpoint that gets the SQL fails before it executes anything: for a value that cannot be stored, a
///   property without a column, or a mix of interpolated values and question marks.
public struct SQL: ExpressibleByStringInterpolation, Sendable {
    private let made: Result<SQLText, RepositoryError>

    /// Creates SQL from a string literal.
    public init(stringLiteral text: String) {
        made = .success("\(raw: text)")
    }

    /// Creates SQL from an interpolated string literal.
    public init(stringInterpolation parts: StringInterpolation) {
        if let fault = parts.fault { made = .failure(fault) } else { made = .success(parts.text) }
    }

    /// Creates SQL from any text, which is executed as it is.
    ///
    /// ```swift
    /// let sql = SQL(unsafe: "SELECT count(*) FROM Movie")
    /// ```
    public init(unsafe text: String) {
        self.init(stringLiteral: text)
    }

    /// The parts of an interpolated `SQL` literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text: SQLText = ""
        /// The error of the first part that is not valid.
        fileprivate var fault: RepositoryError?

        /// Creates an empty literal.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends a part of the literal.
        public mutating func appendLiteral(_ literal: String) {
            text.appendInterpolation(raw: literal)
        }

        /// Appends a parameter with a value, or with NULL for `nil`.
        public mutating func appendInterpolation<Value: BindableValue>(_ value: Value?) {
            attempt { text throws(RepositoryError) in
                text += try "\(bind: value?.stored(in: text.text, of: "statement") ?? .null)"
            }
        }

        /// Appends a list of parameters in parentheses.
        ///
        /// SQLite accepts an empty list; PostgreSQL does not.
        public mutating func appendInterpolation<Values: Sequence>(values: Values) where Values.Element: BindableValue {
            text += "("
            for (index, value) in values.enumerated() {
                if index > 0 { text += ", " }
                appendInterpolation(value)
            }
            text += ")"
        }

        /// Appends the quoted name of an entity's table.
        public mutating func appendInterpolation<Item: Entity>(_ entity: Item.Type) {
            text.appendInterpolation(name: Item.entityName)
        }

        /// Appends the quoted name of a property's column.
        public mutating func appendInterpolation<Item: Entity, Value>(_ property: KeyPath<Item, Value>) {
            attempt { text throws(RepositoryError) in text += try "\(name: Item.schema.column(for: property).name)" }
        }

        /// Appends any name in quotes.
        public mutating func appendInterpolation(identifier name: String) {
            attempt { text throws(RepositoryError) in
                guard !name.utf8.contains(0) else { throw .misuse(detail: "a name contains NUL: \(name.excerpt)") }
                text.appendInterpolation(name: name)
            }
        }

        /// Appends other SQL, with its values.
        public mutating func appendInterpolation(_ sql: SQL) {
            attempt { text throws(RepositoryError) in text += try sql.text() }
        }

        /// Appends text as it is.
        public mutating func appendInterpolation(unsafe text: String) {
            self.text.appendInterpolation(raw: text)
        }

        private mutating func attempt(_ append: (inout SQLText) throws(RepositoryError) -> Void) {
            do {
                try append(&text)
            } catch {
                if fault == nil { fault = error }
            }
        }
    }

    /// Returns the text of the statement, with the values of its question marks.
    package func text(_ values: [any BindableValue] = [], of entity: String = "statement") throws(RepositoryError)
        -> SQLText
    {
        var text = try made.get()
        guard !values.isEmpty else { return text }
        guard text.bindings.isEmpty else {
            throw .misuse(detail: "values are both interpolated and passed for question marks: \(text.text.excerpt)")
        }
        text.append(
            values: try values.map { value throws(RepositoryError) in try value.stored(in: text.text, of: entity) })
        return text
    }
}

extension SQL: CustomStringConvertible {
    /// The text with a question mark for each value, or the error if the SQL is not valid.
    public var description: String {
        switch made {
        case .success(let text): text.text
        case .failure(let error): "\(error)"
        }
    }
}

extension Sequence<SQL> {
    /// Returns the pieces in order, with a separator between them.
    ///
    /// ```swift
    /// let conditions: [SQL] = ["title LIKE \("F%")", "boxOffice > \(10)"]
    /// print(conditions.joined(separator: " AND "))  // title LIKE ? AND boxOffice > ?
    /// ```
    public func joined(separator: SQL = ", ") -> SQL {
        var parts = SQL.StringInterpolation(literalCapacity: 0, interpolationCount: 0)
        for (index, piece) in enumerated() {
            if index > 0 { parts.appendInterpolation(separator) }
            parts.appendInterpolation(piece)
        }
        return SQL(stringInterpolation: parts)
    }
}
