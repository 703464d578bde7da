/// What a hot source keeps for a sink that has no demand left.
///
/// ```swift
/// let broadcast = Broadcast<Int, Never>(whenBehind: .newest(10))
/// ```
public struct Backlog: Sendable, Hashable {
    let capacity: Int
    let keepsNewest: Bool

    /// Keeps nothing: values without demand are reported to `DiscardHook`.
    public static let drop = Backlog(capacity: 0, keepsNewest: false)

    /// Keeps the latest value; those that it replaces are not reported, since the newer one supersedes them.
    public static let latest = Backlog(capacity: 1, keepsNewest: true)

    /// Keeps everything, without bound.
    public static let unbounded = Backlog(capacity: .max, keepsNewest: false)

    /// Keeps the `count` oldest values; newer ones are reported to `DiscardHook`.
    public static func oldest(_ count: Int) -> Backlog { Backlog(capacity: count, keepsNewest: false) }

    /// Keeps the `count` newest values; older ones are reported to `DiscardHook`.
    public static func newest(_ count: Int) -> Backlog { Backlog(capacity: count, keepsNewest: true) }

    private init(capacity: Int, keepsNewest: Bool) {
        precondition(capacity >= 0, "A backlog holds zero values or more.")
        self.capacity = capacity
        self.keepsNewest = keepsNewest
    }
}
