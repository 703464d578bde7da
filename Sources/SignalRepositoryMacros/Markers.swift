#if Macros
    public import Foundation
    public import SignalRepository

    // The markers of an entity's properties. They add no code: `@Entity` reads them.

    /// Makes the property the key, or a part of it; a property called `id` is the key without it.
    @attached(peer)
    public macro Key() = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Gives the column an index, so that conditions and orderings on it are fast.
    @attached(peer)
    public macro Indexed() = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Lets no two items have the same value.
    @attached(peer)
    public macro Unique() = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Gives a value to the items that were stored before the column existed.
    @attached(peer)
    public macro Default<Value>(_ value: Value) = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Gives an empty array to the items that were stored before the column existed.
    @attached(peer)
    public macro Default(_ value: [Never]) = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Gives an empty dictionary to the items that were stored before the column existed.
    @attached(peer)
    public macro Default(_ value: [Never: Never]) = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Gives the column of a `Decimal` its decimal places, 0 to 18; a number with more is refused.
    @attached(peer)
    public macro Scale(_ places: Int) = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Gives the column of a `Decimal` its decimal places, 0 to 18; a number with more is rounded to them.
    @attached(peer)
    public macro Scale(_ places: Int, rounding mode: Decimal.RoundingMode) =
        #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Makes the property the id of an item of another entity, which must exist.
    @attached(peer)
    public macro References<Target>(_ target: Target.Type, onDelete rule: DeleteRule = .restrict) =
        #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Stores a `Codable` property as JSON text.
    @attached(peer)
    public macro JSON() = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Gives the column another name than the property has.
    @attached(peer)
    public macro Named(_ name: String) = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Lets the store give the key: an item with the id 0 is stored as a new one.
    @attached(peer)
    public macro Generated() = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Lets the store keep the time at which the item was stored first.
    @attached(peer)
    public macro Created() = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Lets the store compute the value from the item's other ones, by an SQL expression.
    @attached(peer)
    public macro Computed(_ sql: SQL) = #externalMacro(module: "EntityMacros", type: "MarkerMacro")

    /// Lets the store keep the time at which the item was stored last.
    @attached(peer)
    public macro Updated() = #externalMacro(module: "EntityMacros", type: "MarkerMacro")
#endif
