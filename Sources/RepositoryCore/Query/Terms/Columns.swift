extension Columns {
    /// The key of the item, whatever the name of its column.
    public var id: Term<Root, Item.ID> {
        Term { () throws(RepositoryError) in try TermValue(idOf: Item.self, of: table, keeper: keeper) }
    }

    /// The term for the column of a property.
    public subscript<Value>(dynamicMember path: KeyPath<Item, Value> & Sendable) -> Term<Root, Value> {
        Term { () throws(RepositoryError) in try TermValue(path, of: table, keeper: keeper) }
    }
}

/// The properties of an item that may be missing, as in a left join; all of these terms are optional.
@dynamicMemberLookup
public struct OptionalColumns<Root, Item: Entity>: Sendable {
    let table: String?

    /// The key of the item, whatever the name of its column; `nil` if the item is missing.
    public var id: Term<Root, Item.ID?> {
        Term { () throws(RepositoryError) in try TermValue(idOf: Item.self, of: table, isOptional: true) }
    }

    /// The term for the column of a property; `nil` if the item is missing.
    @_disfavoredOverload
    public subscript<Value>(dynamicMember path: KeyPath<Item, Value> & Sendable) -> Term<Root, Value?> {
        Term { () throws(RepositoryError) in try TermValue(path, of: table, isOptional: true) }
    }

    /// The term for the column of an optional property; also `nil` if the item is missing.
    public subscript<Value>(dynamicMember path: KeyPath<Item, Value?> & Sendable) -> Term<Root, Value?> {
        Term { () throws(RepositoryError) in try TermValue(path, of: table, isOptional: true) }
    }
}

extension Entity {
    /// The parameter of a query's closures: the properties of the item as terms.
    ///
    /// Each term names its table, because a condition on another entity may combine the term with that entity's
    /// columns.
    public static var queryTerms: Columns<Self, Self> {
        Columns(table: entityName, keeper: StandaloneCondition.current)
    }
}
