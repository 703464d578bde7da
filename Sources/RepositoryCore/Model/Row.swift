/// A value type that is made from the columns of a row: an entity, or the result of a raw SQL statement.
///
/// ```swift
/// struct Top: Row, Equatable {
///     let studio: String?
///     let movies: Int
///     static let schema = Schema(Column("studio", \Top.studio), Column("movies", \.movies), make: Top.init)
/// }
///
/// let tops = try await repository.rows(
///     "SELECT studio, count(*) AS movies FROM Movie GROUP BY studio ORDER BY movies DESC", as: Top.self
/// ).value()
/// ```
/// An ``Entity`` is a row with a table and a key.
public protocol Row: Sendable {
    /// The columns, and a closure that makes a value from a row.
    static var schema: Schema<Self> { get }
}

extension Row {
    /// The name in errors: the name of the table, or of the type if there is no table.
    static var rowName: String { (Self.self as? any Entity.Type)?.entityName ?? TypeName.of(Self.self) }
}
