/// A test that each stored entity passes or fails, written with key paths and checked by the compiler.
///
/// A condition is built by the comparison operators on key paths, by the named conditions (`.isIn`, `.contains`,
/// `.between` and so on), and by `&&`, `||` and `!`:
///
/// ```swift
/// let hits = Movie.where(\.boxOffice > 1_000_000 && \.studio != nil)
/// let words = Movie.where(.hasPrefix(\.title, "The ") || .isIn(\.studio, ["Gramercy", "Miramax"]))
/// ```
///
/// A condition is either true or false, as in Swift, never unknown as in SQL: an optional that is `nil` is equal to
/// `nil` alone, different from every value, and neither less nor greater than anything; `!` turns each into its
/// opposite.
///
/// - Failure: A key path that the entity's schema does not declare, and a value that its column cannot hold, are found
///   when the condition is used: the endpoint fails with a typed error.
public struct Condition<Root: Entity>: Sendable {
    /// The tree of tests; a later stage reads it, so it is data and not a closure.
    indirect enum Node: Sendable {
        case comparison(ColumnPath<Root>, Comparison, any ColumnValue)
        case range(ColumnPath<Root>, any ColumnValue, any ColumnValue)
        case membership(ColumnPath<Root>, [any ColumnValue])
        case pattern(ColumnPath<Root>, String)
        case raw(StaticString, [any ColumnValue])
        case all([Node])
        case any([Node])
        case not(Node)
    }

    let node: Node
}

/// A key path as a condition or an ordering keeps it: of any value type, and safe to hand to another thread.
typealias ColumnPath<Root> = PartialKeyPath<Root> & Sendable

/// The six ways to compare a column with a value.
enum Comparison: Sendable, Hashable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
}

extension Condition {
    /// Combines two conditions into one that is true when both are.
    public static func && (left: Condition, right: Condition) -> Condition {
        if case .all(let nodes) = left.node { return Condition(node: .all(nodes + [right.node])) }
        return Condition(node: .all([left.node, right.node]))
    }

    /// Combines two conditions into one that is true when at least one of them is.
    public static func || (left: Condition, right: Condition) -> Condition {
        if case .any(let nodes) = left.node { return Condition(node: .any(nodes + [right.node])) }
        return Condition(node: .any([left.node, right.node]))
    }

    /// Turns a condition into its opposite.
    public static prefix func ! (condition: Condition) -> Condition {
        Condition(node: .not(condition.node))
    }
}
