/// A custom function that SQL can call.
///
/// ```swift
/// var configuration = RepositoryConfiguration()
/// configuration.functions = [SQLFunction("initial") { (text: String) in String(text.prefix(1)) }]
/// let repository = try SQLiteRepository(.inMemory, entities: Movie.self, configuration: configuration)
/// let initials = try await repository.rows("SELECT DISTINCT initial(title) FROM Movie", as: String.self).value()
/// ```
/// The function is available on each connection, in conditions (`.raw`) and in raw SQL. It must always return the same
/// result for the same values. It runs on database queues, so it must not block. A file cannot depend on the function:
/// SQLite rejects it in triggers, views and indexes.
/// - Failure: The statement fails with `.bodyThrew(_:)` if the function throws, or if a value has another type than the
///   function's argument.
public struct SQLFunction: Sendable {
    /// The name by which SQL calls the function.
    public let name: String
    package let count: Int
    package let isScaled: Bool
    package let body: @Sendable ([SQLValue]) throws -> SQLValue

    /// Creates a function whose arguments and result are values that columns can hold; `nil` stands for NULL.
    ///
    /// A function with a `Decimal` is rejected when the store opens, because only columns have decimal places.
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

/// A custom order of text that SQL can name with `COLLATE`.
///
/// ```swift
/// var configuration = RepositoryConfiguration()
/// configuration.collations = [SQLCollation("numeric") { $0.compare($1, options: .numeric) == .orderedAscending }]
/// let repository = try SQLiteRepository(.inMemory, entities: Movie.self, configuration: configuration)
/// let sorted = try await repository.rows("SELECT * FROM Movie ORDER BY title COLLATE numeric", as: Movie.self).value()
/// ```
/// The order must be strict and must never change. Do not use the collation for an index or a column of a file that
/// other programs write, because these programs do not have the collation.
public struct SQLCollation: Sendable {
    /// The name by which SQL refers to the collation.
    public let name: String
    package let isBefore: @Sendable (String, String) -> Bool

    /// Creates a collation from a closure that returns whether a text comes before another text.
    public init(_ name: String, isBefore: @escaping @Sendable (String, String) -> Bool) {
        (self.name, self.isBefore) = (name, isBefore)
    }
}
