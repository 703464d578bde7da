/// A declaration of an entity's table besides its columns: a check, an index of some rows or of an expression, a
/// reference of several columns, or the query that makes it a view.
///
/// ```swift
/// struct Booking: Entity {
///     let id: Int
///     var hall: String
///     var seat: Int
///     var isCancelled: Bool
///
///     static let schema = Schema(
///         Column("id", \Booking.id), Column("hall", \.hall), Column("seat", \.seat),
///         Column("isCancelled", \.isCancelled),
///         clauses: [
///             .check("seats are counted from 1") { $0.seat >= 1 },
///             .unique("a seat is booked once", [\.hall, \.seat]) { !$0.isCancelled },
///         ],
///         make: Booking.init)
/// }
/// ```
public struct TableClause<Root: Row>: Sendable {
    enum Kind: Sendable {
        case check
        case index(Schema<Root>.Paths, isUnique: Bool)
        case references(Schema<Root>.Paths, ColumnReference)
        case view
    }

    /// The name, which must be unique among the clauses of this kind.
    let name: String
    let kind: Kind
    /// The test, the expression or the query.
    let expression: (any DeclaredExpression)?

    /// The properties that it names, apart from those in its expression.
    var paths: Schema<Root>.Paths {
        switch kind {
        case .index(let paths, _), .references(let paths, _): paths
        case .check, .view: []
        }
    }

    init(_ name: String, _ kind: Kind, _ expression: (any DeclaredExpression)? = nil) {
        (self.name, self.kind, self.expression) = (name, kind, expression)
    }
}

/// An expression within a declaration, evaluated when the tables are made: a schema cannot use its own columns while it
/// is being made itself.
package protocol DeclaredExpression: Sendable {}
