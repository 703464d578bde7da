/// What the table of an entity is declared with besides its columns: a rule for its rows, an index of some of them, a
/// reference of several columns; or the query that makes it a view.
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

    /// What it is called: among the clauses of its kind there is no other of this name.
    let name: String
    let kind: Kind
    /// The test, the expression or the query.
    let expression: (any DeclaredExpression)?

    /// The properties that it names, but for those of its expression.
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

/// What is computed within a declaration, made when the tables are: a schema may not ask for its own columns while it
/// is made itself.
package protocol DeclaredExpression: Sendable {}
