/// SQL of the program's own, whose values are bound: everything that takes SQL takes it.
///
/// A string literal is SQL. What is interpolated is not a part of the text: a value becomes a parameter, and a name is
/// quoted, so that neither can be taken for SQL, whatever it holds.
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
/// | `\(value)` | a parameter with the value, which may be missing |
/// | `\(values: [1, 2])` | a list of parameters in parentheses, for `IN` |
/// | `\(Movie.self)` | the quoted name of the table |
/// | `\(\Movie.title)` | the quoted name of the column |
/// | `\(identifier: name)` | any name, quoted |
/// | `\(condition)` | other SQL, with its values |
/// | `\(unsafe: text)` | the text as it is: for text that the program has made itself |
///
/// A literal may have question marks instead, whose values follow it; not both.
///
/// - Failure: A value that cannot be stored, a property without a column, and both kinds of values are errors of the
///   endpoint that gets it, before anything is executed.
public struct SQL: ExpressibleByStringInterpolation, Sendable {
    private let made: Result<SQLText, RepositoryError>

    /// Creates SQL from a literal of the program.
    public init(stringLiteral text: String) {
        made = .success("\(raw: text)")
    }

    /// Creates SQL from a literal of the program, with what it interpolates.
    public init(stringInterpolation parts: StringInterpolation) {
        if let fault = parts.fault { made = .failure(fault) } else { made = .success(parts.text) }
    }

    /// Creates SQL from a text that comes from elsewhere, which is executed as it is.
    ///
    /// ```swift
    /// let sql = SQL(unsafe: "SELECT count(*) FROM Movie")
    /// ```
    public init(unsafe text: String) {
        self.init(stringLiteral: text)
    }

    /// What a literal of `SQL` is put together from.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text: SQLText = ""
        /// The first thing that cannot be a part of it.
        fileprivate var fault: RepositoryError?

        /// Begins with nothing.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends a piece of the literal.
        public mutating func appendLiteral(_ literal: String) {
            text.appendInterpolation(raw: literal)
        }

        /// Appends a parameter with a value, or NULL.
        public mutating func appendInterpolation<Value: BindableValue>(_ value: Value?) {
            attempt { text throws(RepositoryError) in
                text += try "\(bind: value?.stored(in: text.text, of: "statement") ?? .null)"
            }
        }

        /// Appends a list of parameters in parentheses.
        ///
        /// SQLite accepts an empty list, PostgreSQL does not.
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

        /// Appends any name, quoted.
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

        /// Appends a text as it is.
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

    /// The statement, with the values of its question marks.
    package func text(_ values: [any BindableValue] = [], of entity: String = "statement") throws(RepositoryError)
        -> SQLText
    {
        var text = try made.get()
        guard !values.isEmpty else { return text }
        guard text.bindings.isEmpty else {
            throw .misuse(detail: "values are interpolated and follow as well: \(text.text.excerpt)")
        }
        text.append(
            values: try values.map { value throws(RepositoryError) in try value.stored(in: text.text, of: entity) })
        return text
    }
}

extension SQL: CustomStringConvertible {
    /// The text, with a question mark for each value; what is wrong with it, if something is.
    public var description: String {
        switch made {
        case .success(let text): text.text
        case .failure(let error): "\(error)"
        }
    }
}

extension Sequence<SQL> {
    /// Returns the pieces one after the other, with a separator between them.
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
