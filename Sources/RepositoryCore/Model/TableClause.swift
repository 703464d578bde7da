/// A part of a table's declaration other than a column.
///
/// It is a check, a partial index, an index of an expression, a foreign key of several columns, or the query of a view.
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
    /// The condition, the SQL expression or the query of the clause.
    let expression: (any DeclaredExpression)?

    /// The properties that the clause names outside its expression.
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

/// An expression in a schema, evaluated when the tables are made.
///
/// While a schema is being made, its own columns cannot be used, so the expression is evaluated later.
package protocol DeclaredExpression: Sendable {}
