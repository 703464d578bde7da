#if Macros
    public import Foundation
    public import RepositoryCore

    // The markers of an entity's properties. A marker adds no code by itself; `@Entity` reads it.

    /// Makes the property the key, or a part of the key if several properties have this marker; the default is `id`.
    @attached(peer)
    public macro Key() = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Gives the column an index, so that conditions and orderings on it are fast.
    @attached(peer)
    public macro Indexed() = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Makes the store reject an item whose value for this property another item already has.
    @attached(peer)
    public macro Unique() = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Gives a value to items that were stored before the column existed.
    @attached(peer)
    public macro Default<Value>(_ value: Value) = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Gives an empty array to items that were stored before the column existed.
    @attached(peer)
    public macro Default(_ value: [Never]) = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Gives an empty dictionary to items that were stored before the column existed.
    @attached(peer)
    public macro Default(_ value: [Never: Never]) = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Sets the number of decimal places of a `Decimal`, 0 to 18; a number with more places is rejected.
    @attached(peer)
    public macro Scale(_ places: Int) = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Sets the number of decimal places of a `Decimal`, 0 to 18; a number with more places is rounded.
    @attached(peer)
    public macro Scale(_ places: Int, rounding mode: Decimal.RoundingMode) =
        #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Sets the number of components of a `Vector`; a vector with another number is rejected.
    @attached(peer)
    public macro Dimensions(_ count: Int) = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Makes the property a reference (a foreign key): the id of an existing item of another entity.
    @attached(peer)
    public macro References<Target>(_ target: Target.Type, onDelete rule: DeleteRule = .restrict) =
        #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Stores a `Codable` property as JSON text.
    @attached(peer)
    public macro JSON() = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Gives the column a name that differs from the property's.
    @attached(peer)
    public macro Named(_ name: String) = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Makes the store generate the key of an item with the id 0, which is stored as a new item.
    @attached(peer)
    public macro Generated() = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Makes the store set the property to the time at which the item was first stored.
    @attached(peer)
    public macro Created() = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Makes the store compute the value from the item's other values with an SQL expression.
    @attached(peer)
    public macro Computed(_ sql: SQL) = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Makes the store set the property to the time at which the item was last stored.
    @attached(peer)
    public macro Updated() = #externalMacro(module: "EntityMacros", type: "MarkerMacro")
#endif
