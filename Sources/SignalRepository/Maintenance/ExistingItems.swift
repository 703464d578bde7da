/// The rule for a copied item whose id the store already has.
public enum ExistingItems: Sendable, Hashable {
    /// The copy fails with `.constraint`, which names the item, and stores nothing.
    case refused
    /// The source's item replaces the store's, as with `upsert(_:)`: undeclared columns and the creation time stay.
    case replaced
    /// The store's item stays as it is.
    case kept
}
