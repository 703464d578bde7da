/// The terms of a result row, built by the closures that `select`, `grouped` and `aggregate` take.
///
/// A closure contains one term, one item, or a tuple of several. The compiler rejects anything else.
public struct Terms<Root, each Value: Sendable>: Sendable {
    let selections: (repeat Selection<each Value>)

    init(_ selection: repeat Selection<each Value>) {
        selections = (repeat each selection)
    }
}

/// Builds the terms of a row from a closure.
///
/// A result builder is needed because a closure type that returns a tuple of any number of terms also allows an empty
/// tuple. Without a builder, the compiler would accept any other closure, and assume that it returns an empty tuple.
///
/// A side is one of the tables of a join. Each supported combination of sides has its own overload, because a single
/// overload with a protocol takes minutes to compile.
@resultBuilder
public enum TermsBuilder<Root> {
    /// Makes a row of one term.
    public static func buildExpression<Value: ColumnValue>(_ term: Term<Root, Value>) -> Terms<Root, Value> {
        Terms(Term.selection(of: term))
    }
    /// Makes a row of several terms.
    public static func buildExpression<each Value: ColumnValue>(
        _ terms: (repeat Term<Root, each Value>)
    ) -> Terms<Root, repeat each Value> {
        Terms(repeat Term.selection(of: each terms))
    }
    /// Makes a row of the item of one side.
    public static func buildExpression<Item: Entity>(_ item: Columns<Root, Item>) -> Terms<Root, Item> {
        Terms(Columns.selection(of: item))
    }
    /// Makes a row of the item of one side, which may be missing.
    public static func buildExpression<Item: Entity>(_ item: OptionalColumns<Root, Item>) -> Terms<Root, Item?> {
        Terms(OptionalColumns.selection(of: item))
    }
    /// Makes a row of the item of one side, and terms.
    public static func buildExpression<Item: Entity, each Value: ColumnValue>(
        _ parts: (Columns<Root, Item>, repeat Term<Root, each Value>)
    ) -> Terms<Root, Item, repeat each Value> {
        all { parts }
    }
    /// Makes a row of the item of one side, which may be missing, and terms.
    public static func buildExpression<Item: Entity, each Value: ColumnValue>(
        _ parts: (OptionalColumns<Root, Item>, repeat Term<Root, each Value>)
    ) -> Terms<Root, Item?, repeat each Value> {
        all { parts }
    }
    /// Makes a row of the items of two sides, and any number of terms.
    public static func buildExpression<First: Entity, Second: Entity, each Value: ColumnValue>(
        _ parts: (Columns<Root, First>, Columns<Root, Second>, repeat Term<Root, each Value>)
    ) -> Terms<Root, First, Second, repeat each Value> {
        all { parts }
    }
    /// Makes a row of the items of two sides, and any number of terms.
    ///
    /// The item of the second side may be missing.
    public static func buildExpression<First: Entity, Second: Entity, each Value: ColumnValue>(
        _ parts: (Columns<Root, First>, OptionalColumns<Root, Second>, repeat Term<Root, each Value>)
    ) -> Terms<Root, First, Second?, repeat each Value> {
        all { parts }
    }
    /// Returns the terms of the row.
    public static func buildBlock<each Value: Sendable>(
        _ terms: Terms<Root, repeat each Value>
    ) -> Terms<Root, repeat each Value> {
        terms
    }

    // The parts are the result of a closure, because a tuple cannot be passed as a pack.
    private static func all<each Part: Selectable>(
        _ parts: () -> (repeat each Part)
    ) -> Terms<Root, repeat (each Part).Selected> {
        let parts = parts()
        return Terms(repeat (each Part).selection(of: each parts))
    }
}
