/// A value that is computed for each row, written with properties and operators and checked by the compiler.
///
/// The closures of a query get the properties of their items as terms. Conditions, orderings, assignments, groups and
/// selections are made of them:
///
/// ```swift
/// let long = Movie.where { $0.title.count > 12 && $0.boxOffice > 1_000_000 }
/// let shortest = Movie.all.sorted { $0.title.count }
/// let years = Movie.all.grouped { $0.releaseDate.year() }.aggregate { $0.id.count() }
/// ```
/// A term computes what Swift would, but for what `Documentation/Queries.md` lists: a division by zero becomes `nil`.
/// `nil` in, `nil` out.
///
/// - Failure: `.overflow` where a whole or a decimal number is too large for 64 bits, in whatever part of the query,
///   and nothing is stored.
///   A property that the schema does not declare, a column that is not stored as its own type, and a term of
///   more than 200 levels are found when the query is used: the endpoint fails with a typed error.
public struct Term<Root, Value>: Sendable {
    enum Content: Sendable {
        case value(TermValue)
        case condition(ConditionTree)
        case fault(RepositoryError)
    }

    let content: Content

    init(_ content: Content) {
        self.content = content
    }

    /// Makes a term, or keeps the reason why there is none until it is used.
    init(catching make: () throws(RepositoryError) -> TermValue) {
        do throws(RepositoryError) {
            content = .value(try make())
        } catch {
            content = .fault(error)
        }
    }

    func value() throws(RepositoryError) -> TermValue {
        switch content {
        case .value(let value): value
        case .condition(let tree): try TermValue(of: tree.stored())
        case .fault(let error): throw error
        }
    }
}

/// A term, where another generic parameter would be needed to say of what.
public protocol TermOf<Root, Value>: Sendable {
    /// The items.
    associatedtype Root
    /// The type of the values.
    associatedtype Value
    /// The term itself.
    var term: Term<Root, Value> { get }
}

extension Term: TermOf {
    /// The term itself.
    public var term: Term { self }
}

/// A group of items: what a term is computed for when it is computed from many rows.
public enum Groups<Root> {}
