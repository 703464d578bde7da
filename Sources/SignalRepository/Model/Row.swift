/// A value type that is made of the columns of a row: an entity, or what a raw SQL statement returns.
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
    /// The columns, and how a value is made from them.
    static var schema: Schema<Self> { get }
}

extension Row {
    /// The name that errors give: that of the table, or else of the type.
    static var rowName: String { (Self.self as? any Entity.Type)?.entityName ?? TypeName.of(Self.self) }
}
