extension Columns {
    /// The key, whatever its column is named.
    public var id: Term<Root, Item.ID> {
        Term { () throws(RepositoryError) in try TermValue(idOf: Item.self, of: table, keeper: keeper) }
    }

    /// The column of a property.
    public subscript<Value>(dynamicMember path: KeyPath<Item, Value> & Sendable) -> Term<Root, Value> {
        Term { () throws(RepositoryError) in try TermValue(path, of: table, keeper: keeper) }
    }
}

/// The properties of an item that may be missing, as in a left join; all of them are optional.
@dynamicMemberLookup
public struct OptionalColumns<Root, Item: Entity>: Sendable {
    let table: String?

    /// The key, whatever its column is named; `nil` if the item is missing.
    public var id: Term<Root, Item.ID?> {
        Term { () throws(RepositoryError) in try TermValue(idOf: Item.self, of: table, isOptional: true) }
    }

    /// The column of a property; `nil` if the item is missing.
    @_disfavoredOverload
    public subscript<Value>(dynamicMember path: KeyPath<Item, Value> & Sendable) -> Term<Root, Value?> {
        Term { () throws(RepositoryError) in try TermValue(path, of: table, isOptional: true) }
    }

    /// The column of an optional property; also `nil` if the item is missing.
    public subscript<Value>(dynamicMember path: KeyPath<Item, Value?> & Sendable) -> Term<Root, Value?> {
        Term { () throws(RepositoryError) in try TermValue(path, of: table, isOptional: true) }
    }
}

extension Entity {
    /// The properties as terms.
    ///
    /// Each term names its table, because a condition on another entity may combine it with that entity's columns.
    public static var queryTerms: Columns<Self, Self> {
        Columns(table: entityName, keeper: StandaloneCondition.current)
    }
}
