/// A test that each stored item passes or fails, written with properties and checked by the compiler.
///
/// A condition is written in a closure with comparison operators, with named tests (`isIn`, `contains`, `between` and
/// so on), and with `&&`, `||` and `!`. It is a value that can be stored and combined with others.
///
/// ```swift
/// let hits = Movie.where { $0.boxOffice > 1_000_000 && $0.studio != nil }
/// let isKnown = Condition<Movie> { $0.title.hasPrefix("The ") || $0.studio.isIn(["Gramercy", "Miramax"]) }
/// let others = Movie.where(!isKnown)
/// ```
///
/// A condition is either true or false, as in Swift. A condition in SQL can also be NULL; a `Condition` never is. An
/// optional that is `nil` equals only `nil`, differs from every value, and is neither less nor greater than any value.
/// `!` turns true into false, and false into true.
///
/// A column may be compared with a value that it cannot hold, such as a `Decimal` with too many decimal places. As in
/// Swift, each stored value is then less or greater than that value. NaN equals nothing, and is neither less nor
/// greater than any value. However, a `Decimal` that is NaN is less than every number, as in Foundation.
///
/// - Failure: The endpoint that uses the condition fails with a typed error if the entity's schema does not declare a
///   property, or if the condition is too big: if it has more than 500 levels of `&&` in `||` in `&&`, or more values
///   than SQLite accepts in one statement.
public typealias Condition<Root> = Term<Root, Bool>

extension Term where Value == Bool {
    /// Creates a condition on the properties of an item; every line of the closure must hold.
    ///
    /// ```swift
    /// let isLong = Condition<Movie> { $0.title.count > 12 }
    /// let movies = repository.fetch(Movie.where(isLong))
    /// let count = repository.count(Movie.self) { isLong && $0.studio != nil }
    /// ```
    public init(@ConditionBuilder<Root> _ condition: (Root.QueryTerms) -> Condition<Root>) where Root: Fetchable {
        self = StandaloneCondition.write { condition(Root.queryTerms) }
    }

    /// Combines two conditions into one that is true when both are.
    public static func && (left: Term, right: Term) -> Term { Term(.condition(left.tree.and(right.tree))) }

    /// Combines two conditions into one that is true when at least one of them is.
    public static func || (left: Term, right: Term) -> Term { Term(.condition(left.tree.or(right.tree))) }

    /// Negates a condition.
    public static prefix func ! (condition: Term) -> Term { Term(.condition(condition.tree.negated)) }

    /// The condition that every item meets.
    public static var `true`: Term { Term { () throws(RepositoryError) in StoredTest.constant(true) } }

    /// The condition that no item meets.
    public static var `false`: Term { Term { () throws(RepositoryError) in StoredTest.constant(false) } }

    /// Combines conditions into one that is true when all of them are; without conditions it is true.
    ///
    /// ```swift
    /// let words = ["big", "hit"]
    /// let movies = Movie.where { movie in .all(of: words.map { movie.title.contains($0) }) }
    /// ```
    public static func all(of conditions: some Sequence<Term>) -> Term {
        Term(.condition(ConditionTree(all: conditions.map { $0.tree }) ?? Self.true.tree))
    }

    /// Combines conditions into one that is true when at least one of them is; without conditions it is false.
    public static func any(of conditions: some Sequence<Term>) -> Term {
        Term(.condition(ConditionTree(any: conditions.map { $0.tree }) ?? Self.false.tree))
    }

    /// Creates a condition from a fragment of SQL, for a test that typed conditions cannot express.
    ///
    /// The values are bound to the question marks. In a join, a table has the name of its side: `"left".title`.
    ///
    /// ```swift
    /// Movie.where { .raw("length(title) > ?", 20) && $0.studio != nil }
    /// ```
    ///
    /// See `SQL` for the values that can be interpolated.
    /// - Failure: The endpoint fails for too few or too many values, and for SQL that does not compile.
    public static func raw(_ sql: SQL, _ values: any BindableValue...) -> Term {
        Term { () throws(RepositoryError) in StoredTest.raw(try sql.text(values, of: "condition")) }
    }

    /// Creates a condition from one test; an error is stored and thrown when the condition is used.
    init(catching make: () throws(RepositoryError) -> StoredTest) {
        do throws(RepositoryError) {
            content = .condition(ConditionTree(node: .test(try make())))
        } catch {
            content = .fault(error)
        }
    }

    func stored() throws(RepositoryError) -> StoredTest { try tree.stored() }

    var tree: ConditionTree {
        switch content {
        case .condition(let tree): tree
        case .value(let value): Term(catching: { () throws(RepositoryError) in try value.truth() }).tree
        case .fault(let error): ConditionTree(node: .fault(error))
        }
    }
}

package enum Comparison: Sendable, Hashable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
}
