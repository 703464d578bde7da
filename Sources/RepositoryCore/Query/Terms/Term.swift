/// A value that is computed for each row, written with properties and operators and checked by the compiler.
///
/// The closures of a query receive the properties of its items as terms. Conditions, orderings, assignments, groups and
/// selections are built from terms:
///
/// ```swift
/// let long = Movie.where { $0.title.count > 12 && $0.boxOffice > 1_000_000 }
/// let shortest = Movie.all.sorted { $0.title.count }
/// let years = Movie.all.grouped { $0.releaseDate.year() }.aggregate { $0.id.count() }
/// ```
/// A term has the value that Swift would compute, except in the cases that `Documentation/ColumnsAndOrder.md` lists:
/// for example, a division by zero becomes `nil`. Computing with `nil` gives `nil`.
///
/// - Failure: `.overflow` if an integer or a decimal number is too large for 64 bits, in any part of the query; nothing
///   is stored. The endpoint also fails with a typed error for a property that the schema does not declare, a column
///   that is not stored as its own type, and a term of more than 200 levels.
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

    /// Creates a term; an error is stored and thrown when the term is used.
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

/// A type that stands for `Term` in generic constraints.
public protocol TermConvertible<Root, Value>: Sendable {
    /// The type of the items.
    associatedtype Root
    /// The type of the values.
    associatedtype Value
    /// The term itself.
    var term: Term<Root, Value> { get }
}

extension Term: TermConvertible {
    /// The term itself.
    public var term: Term { self }
}

/// A marker type for terms that are computed from groups of rows.
public enum Groups<Root> {}
