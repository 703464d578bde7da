/// The terms of a row: what the closures of `select`, `grouped` and `aggregate` are made into.
///
/// A closure writes one term or item, or several as a tuple; the compiler refuses anything else.
public struct Terms<Root, each Value: Sendable>: Sendable {
    let selections: (repeat Selection<each Value>)

    init(_ selection: repeat Selection<each Value>) {
        selections = (repeat each selection)
    }
}

/// Makes the terms of a row of what a closure writes.
///
/// A closure that returned a tuple of as many terms as there are could return nothing as well, and the compiler takes
/// any other closure for one that does. Items have a form for each order of sides that may be missing and sides that
/// may not, because one form over a protocol takes the compiler minutes.
@resultBuilder
public enum TermsBuilder<Root> {
    /// Takes one term.
    public static func buildExpression<Value: ColumnValue>(_ term: Term<Root, Value>) -> Terms<Root, Value> {
        Terms(Term.selection(of: term))
    }
    /// Takes several terms.
    public static func buildExpression<each Value: ColumnValue>(
        _ terms: (repeat Term<Root, each Value>)
    ) -> Terms<Root, repeat each Value> {
        Terms(repeat Term.selection(of: each terms))
    }
    /// Takes the items of one side.
    public static func buildExpression<Item: Entity>(_ item: Columns<Root, Item>) -> Terms<Root, Item> {
        Terms(Columns.selection(of: item))
    }
    /// Takes the items of one side that may be missing.
    public static func buildExpression<Item: Entity>(_ item: OptionalColumns<Root, Item>) -> Terms<Root, Item?> {
        Terms(OptionalColumns.selection(of: item))
    }
    /// Takes the items of one side, with terms.
    public static func buildExpression<Item: Entity, each Value: ColumnValue>(
        _ parts: (Columns<Root, Item>, repeat Term<Root, each Value>)
    ) -> Terms<Root, Item, repeat each Value> {
        all { parts }
    }
    /// Takes the items of one side that may be missing, with terms.
    public static func buildExpression<Item: Entity, each Value: ColumnValue>(
        _ parts: (OptionalColumns<Root, Item>, repeat Term<Root, each Value>)
    ) -> Terms<Root, Item?, repeat each Value> {
        all { parts }
    }
    /// Takes the items of two sides, with terms if there are any.
    public static func buildExpression<First: Entity, Second: Entity, each Value: ColumnValue>(
        _ parts: (Columns<Root, First>, Columns<Root, Second>, repeat Term<Root, each Value>)
    ) -> Terms<Root, First, Second, repeat each Value> {
        all { parts }
    }
    /// Takes the items of two sides, of which the second may be missing, with terms if there are any.
    public static func buildExpression<First: Entity, Second: Entity, each Value: ColumnValue>(
        _ parts: (Columns<Root, First>, OptionalColumns<Root, Second>, repeat Term<Root, each Value>)
    ) -> Terms<Root, First, Second?, repeat each Value> {
        all { parts }
    }
    /// Takes the terms of a row.
    public static func buildBlock<each Value: Sendable>(
        _ terms: Terms<Root, repeat each Value>
    ) -> Terms<Root, repeat each Value> {
        terms
    }

    // By a function that returns them: a tuple itself is not taken for a pack.
    private static func all<each Part: Selectable>(
        _ parts: () -> (repeat each Part)
    ) -> Terms<Root, repeat (each Part).Selected> {
        let parts = parts()
        return Terms(repeat (each Part).selection(of: each parts))
    }
}
