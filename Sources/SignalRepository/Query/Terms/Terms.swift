/// The terms of a row: what the closures of `select`, `grouped` and `aggregate` are made into.
///
/// A closure writes one term, or several as a tuple; the compiler refuses anything else.
public struct Terms<Root, each Value: ColumnValue>: Sendable {
    let terms: (repeat Term<Root, each Value>)

    init(_ term: repeat Term<Root, each Value>) {
        terms = (repeat each term)
    }
}

/// Makes the terms of a row of what a closure writes.
///
/// A closure that returned a tuple of as many terms as there are could return nothing as well, and the compiler takes
/// any other closure for one that does.
@resultBuilder
public enum TermsBuilder<Root> {
    /// Takes one term.
    public static func buildExpression<Value: ColumnValue>(_ term: Term<Root, Value>) -> Terms<Root, Value> {
        Terms(term)
    }
    /// Takes several terms.
    public static func buildExpression<each Value: ColumnValue>(
        _ terms: (repeat Term<Root, each Value>)
    ) -> Terms<Root, repeat each Value> {
        Terms(repeat each terms)
    }
    /// Takes the terms of a row.
    public static func buildBlock<each Value: ColumnValue>(
        _ terms: Terms<Root, repeat each Value>
    ) -> Terms<Root, repeat each Value> {
        terms
    }
}
