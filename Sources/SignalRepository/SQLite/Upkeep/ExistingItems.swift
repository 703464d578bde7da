/// What becomes of an item that a store has already, when one with the same id is copied into it.
public enum ExistingItems: Sendable, Hashable {
    /// Nothing is copied, and the copy fails with `.constraint`, which names the item.
    case refused
    /// It becomes that of the source, as by `upsert(_:)`: what is not declared, and the time of its creation, stays.
    case replaced
    /// It stays as it is.
    case kept
}
