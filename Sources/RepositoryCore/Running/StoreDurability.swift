/// The durability of commits.
public enum StoreDurability: Sendable, Hashable {
    /// A finished commit survives a power cut.
    case full
    /// A power cut may lose the last commits, but not a part of one. Small commits are much faster than with `full`.
    case normal
}
