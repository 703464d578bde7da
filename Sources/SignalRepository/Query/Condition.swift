/// A test that each stored entity passes or fails, written with key paths and checked by the compiler.
///
/// A condition is built with the comparison operators on key paths, with the named conditions (`.isIn`, `.contains`,
/// `.between` and so on), and with `&&`, `||` and `!`:
///
/// ```swift
/// let hits = Movie.where(\.boxOffice > 1_000_000 && \.studio != nil)
/// let words = Movie.where(.hasPrefix(\.title, "The ") || .isIn(\.studio, ["Gramercy", "Miramax"]))
/// ```
///
/// A condition is either true or false, as in Swift, never unknown as in SQL: an optional that is `nil` is equal only
/// to `nil`, different from every value, and neither less nor greater than anything; `!` negates either.
///
/// A value that the column cannot hold, such as a `Decimal` with more places, is compared as in Swift: stored values
/// are less or greater than it, and none is equal. NaN is equal to nothing, and neither less nor greater than anything;
/// but a `Decimal` that is NaN is less than every number, as in Foundation.
///
/// - Failure: A key path that the entity's schema does not declare is found when the condition is used: the endpoint
///   fails with a typed error. So is a condition that is too big: one with more than 500 levels of `&&` in `||` in
///   `&&`, or with more values than SQLite takes in one statement.
public struct Condition<Root: Entity>: Sendable {
    /// The tree of tests; later stages read it, so it is data and not a closure.
    indirect enum Node: Sendable {
        case comparison(ColumnPath<Root>, Comparison, any ColumnValue)
        case range(ColumnPath<Root>, any ColumnValue, any ColumnValue)
        case membership(ColumnPath<Root>, [any ColumnValue])
        case search(ColumnPath<Root>, TextSearch, String)
        case raw(StaticString, [any BindableValue])
        case all([Condition])
        case any([Condition])
        case not(Condition)
        /// Replaces a condition that was nested too deeply to be kept.
        case tooDeep
    }

    let node: Node
    /// How many levels of `&&`, `||` and `!` there are, and how many tests.
    let (depth, count): (Int, Int)

    /// Creates a condition from one test.
    init(node: Node) {
        (self.node, depth, count) = (node, 0, 1)
    }

    /// Creates a condition from others.
    private init(_ node: Node, of parts: [Condition]) {
        var (depth, count) = (0, 0)
        for part in parts {
            // A chain within a chain of the same kind is the same level.
            let level = Self.isChain(part, of: node) ? part.depth - 1 : part.depth
            (depth, count) = (Swift.max(depth, level), count + part.count)
        }
        let isTooDeep = depth >= Self.mostLevels
        (self.node, self.depth, self.count) = isTooDeep ? (.tooDeep, depth, 1) : (node, depth + 1, count)
    }

    /// How many levels are kept: a tree is released level by level, on whatever stack there is.
    static var mostLevels: Int { 500 }
}

/// The six ways to compare a column with a value.
enum Comparison: Sendable, Hashable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
}

extension Condition {
    /// Combines two conditions into one that is true when both are.
    public static func && (left: Condition, right: Condition) -> Condition {
        chain({ .all($0) }, left, right)
    }

    /// Combines two conditions into one that is true when at least one of them is.
    public static func || (left: Condition, right: Condition) -> Condition {
        chain({ .any($0) }, left, right)
    }

    /// Negates a condition.
    public static prefix func ! (condition: Condition) -> Condition {
        if case .not(let opposite) = condition.node { return opposite }
        return Condition(.not(condition), of: [condition])
    }

    /// Joins two conditions into one level, even if they already are chains of this kind.
    private static func chain(_ make: ([Condition]) -> Node, _ left: Condition, _ right: Condition) -> Condition {
        let kind = make([])
        var parts = left.parts(of: kind) + right.parts(of: kind)
        // A long chain is stored as a chain of shorter ones, so that building it link by link does not copy all of it
        // each time.
        let most = 64
        for end in [parts.suffix(most), parts.prefix(most)] where end.count == most && parts.count > most {
            guard !end.contains(where: { isChain($0, of: kind) }) else { continue }
            let links = Array(end)
            parts.replaceSubrange(end.indices, with: CollectionOfOne(Condition(make(links), of: links)))
        }
        return Condition(make(parts), of: parts)
    }

    private func parts(of kind: Node) -> [Condition] {
        switch (node, kind) {
        case (.all(let parts), .all), (.any(let parts), .any): parts
        default: [self]
        }
    }

    private static func isChain(_ condition: Condition, of kind: Node) -> Bool {
        switch (condition.node, kind) {
        case (.all, .all), (.any, .any): true
        default: false
        }
    }
}
