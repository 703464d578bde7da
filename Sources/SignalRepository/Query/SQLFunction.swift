/// A function of the program's own, which SQL can call.
///
/// ```swift
/// var configuration = RepositoryConfiguration()
/// configuration.functions = [SQLFunction("initial") { (text: String) in String(text.prefix(1)) }]
/// let repository = try SQLiteRepository(.inMemory, entities: Movie.self, configuration: configuration)
/// let initials = try await repository.rows("SELECT DISTINCT initial(title) FROM Movie", as: String.self).value()
/// ```
/// It is there in conditions (`.raw`) and in raw SQL, on each connection. It has to answer the same for the same
/// values, runs on database queues, and must not wait for anything. A file cannot depend on it: SQLite refuses it in
/// triggers, views and indexes.
/// - Failure: an error that it throws fails the statement with `.bodyThrew(_:)`, and so does a value that is not of the
///   argument's type.
public struct SQLFunction: Sendable {
    /// The name, as SQL calls it.
    public let name: String
    package let count: Int
    package let isScaled: Bool
    package let body: @Sendable ([SQLValue]) throws -> SQLValue

    /// Makes a function of values that columns can hold; `nil` is NULL.
    ///
    /// A `Decimal` is refused at opening, because it is stored with the decimal places of a column.
    public init<each Argument: ColumnValue, Output: ColumnValue>(
        _ name: String, _ body: @escaping @Sendable (repeat each Argument) throws -> Output
    ) {
        var (count, isScaled) = (0, Output.isScaled)
        for type in repeat (each Argument).self {
            count += 1
            isScaled = isScaled || type.isScaled
        }
        (self.name, self.count, self.isScaled) = (name, count, isScaled)
        self.body = { values in
            var index = -1
            func next<Value: ColumnValue>(_ type: Value.Type) throws -> Value {
                index += 1
                return try values[index].value(type, scale: 0)
            }
            return try body(repeat try next((each Argument).self)).sqlValue(scale: 0)
        }
    }
}

/// An order of texts of the program's own, which SQL can name with `COLLATE`.
///
/// ```swift
/// var configuration = RepositoryConfiguration()
/// configuration.collations = [SQLCollation("numeric") { $0.compare($1, options: .numeric) == .orderedAscending }]
/// let repository = try SQLiteRepository(.inMemory, entities: Movie.self, configuration: configuration)
/// let sorted = try await repository.rows("SELECT * FROM Movie ORDER BY title COLLATE numeric", as: Movie.self).value()
/// ```
/// The order has to be a strict one, and the same each time. Do not make an index or a column with it in a file that
/// other programs write: they do not have it.
public struct SQLCollation: Sendable {
    /// The name, as SQL gives it.
    public let name: String
    package let isBefore: @Sendable (String, String) -> Bool

    /// Makes an order of whether a text comes before another one.
    public init(_ name: String, isBefore: @escaping @Sendable (String, String) -> Bool) {
        (self.name, self.isBefore) = (name, isBefore)
    }
}
