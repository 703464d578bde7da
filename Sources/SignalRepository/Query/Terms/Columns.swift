extension Columns {
    /// The key, under whatever name it is stored.
    public var id: Term<Root, Item.ID> {
        Term { () throws(RepositoryError) in try TermValue(idOf: Item.self, of: table, keeper: keeper) }
    }

    /// The column of a property.
    public subscript<Value>(dynamicMember path: KeyPath<Item, Value> & Sendable) -> Term<Root, Value> {
        Term { () throws(RepositoryError) in try TermValue(path, of: table, keeper: keeper) }
    }
}

/// The properties of an entity that may be missing, as in a left join: every one is optional.
@dynamicMemberLookup
public struct OptionalColumns<Root, Item: Entity>: Sendable {
    let table: String?

    /// The key, under whatever name it is stored; `nil` where the item is missing.
    public var id: Term<Root, Item.ID?> {
        Term { () throws(RepositoryError) in try TermValue(idOf: Item.self, of: table, isOptional: true) }
    }

    /// The column of a property; `nil` where the item is missing.
    @_disfavoredOverload
    public subscript<Value>(dynamicMember path: KeyPath<Item, Value> & Sendable) -> Term<Root, Value?> {
        Term { () throws(RepositoryError) in try TermValue(path, of: table, isOptional: true) }
    }

    /// The column of an optional property; `nil` where the item is missing, too.
    public subscript<Value>(dynamicMember path: KeyPath<Item, Value?> & Sendable) -> Term<Root, Value?> {
        Term { () throws(RepositoryError) in try TermValue(path, of: table, isOptional: true) }
    }
}

extension Entity {
    /// The properties as terms.
    ///
    /// They name their table, because a condition on another entity may use them beside columns of its own.
    public static var queryTerms: Columns<Self, Self> {
        Columns(table: entityName, keeper: KeptCondition.current)
    }
}
