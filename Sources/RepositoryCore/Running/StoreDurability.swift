/// The durability of commits.
public enum StoreDurability: Sendable, Hashable {
    /// A finished commit survives a power cut.
    case full
    /// A power cut may lose the last commits, but never a part of a commit. Many small commits are much faster.
    case normal
}
