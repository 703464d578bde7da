/// The durability of commits.
public enum StoreDurability: Sendable, Hashable {
    /// A finished commit survives a power cut.
    case full
    /// A power cut may lose the last commits, but never part of one; much faster for many small commits.
    case normal
}
